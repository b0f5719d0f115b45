#include <math.h>
/* 41 % of the inputs in (1, 10) return 1 with the host's libm */
int c1(double x) { if (x > 1 && x < 10) { if (cbrt(x * x * x) != x) return 1; return 2; } return 0; }
int c2(double x) { if (x == 3) { if (cbrt(27 * x / 3) != 3) return 1; return 2; } return 0; }
