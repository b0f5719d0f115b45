/* What code under test may do wrong. */
double forever(double x) { while (x == x) x = x * 0.5; return x; }
double outside(double x) { static double a[4]; int i = (int)x; if (x > 1e6) return a[i]; return 0; }
double deep(double x) { if (x > 0) return deep(x + 1) + 1; return 0; }
double divided(double x) { int i = (int)x; if (i == 17) return 5 / (i - 17); return i; }
double elsewhere(double);
double calls(double x) { return elsewhere(x); }
double none(double x) { return x; }
