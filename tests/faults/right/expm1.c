// right: the specification holds for it
// spec: ../expm1.fpcore
#include <math.h>

double f(double x) { return expm1(x); }
