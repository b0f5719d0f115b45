// right: the specification holds for it
// spec: ../asinh.fpcore
#include <math.h>

double f(double x) { return asinh(x); }
