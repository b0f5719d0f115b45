// class: threshold
// fault: without the 1 from 10 on
// spec: planck.fpcore
#include <math.h>

double f(double x) { return x > 10 ? exp(-x) : 1 / expm1(x); }
