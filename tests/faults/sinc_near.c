// class: threshold
// fault: taken for 1 below 1e-3, where it is 1 - 1.7e-7
// spec: sinc.fpcore
#include <math.h>

double f(double x) { return fabs(x) < 1e-3 ? 1 : sin(x) / x; }
