// class: premature rounding
// fault: the product with 10 is rounded up to a whole number
// spec: sampling.fpcore
#include <math.h>

double f(double t) { return t - floor(t * 10) / 10; }
