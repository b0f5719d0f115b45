#include <math.h>

double altitude(double p) { return 44330.77 * (1 - pow(p / 101325, 0.190263)); }

/* The exponent is 2/7, and 0.2857 is not near enough. */
double mach(double qc, double p) { return sqrt(5 * (pow(qc / p + 1, 0.2857) - 1)); }

double static_temperature(double t, double m) { return t / (1 + 0.2 * m * m); }
