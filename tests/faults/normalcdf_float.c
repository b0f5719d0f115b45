// class: premature rounding
// fault: the square root of 2 in single precision
// spec: normalcdf.fpcore
#include <math.h>

double f(double x) { return 0.5 * erfc(-x / sqrtf(2)); }
