// class: threshold
// fault: x^2 / 2 below 0.01
// spec: versine.fpcore
#include <math.h>

double f(double x) { return fabs(x) < 0.01 ? x * x / 2 : 1 - cos(x); }
