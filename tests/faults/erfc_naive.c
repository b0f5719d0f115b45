// class: cancellation
// fault: 1 - erf(x) for a large x
// spec: erfc.fpcore
#include <math.h>

double f(double x) { return 1 - erf(x); }
