// class: cancellation
// fault: 1 + erf(x) in the lower tail
// spec: normalcdf.fpcore
#include <math.h>

double f(double x) { return 0.5 * (1 + erf(x * 0.70710678118654752440)); }
