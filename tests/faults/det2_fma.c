// class: cancellation
// fault: one product is exact, the other one is not
// spec: det2.fpcore
#include <math.h>

double f(double a, double b, double c, double d) { return fma(a, d, -(b * c)); }
