// right: the specification holds for it
// spec: ../normalcdf.fpcore
#include <math.h>

double f(double x) { return 0.5 * erfc(-x * 0.70710678118654752440); }
