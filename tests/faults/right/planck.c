// right: the specification holds for it
// spec: ../planck.fpcore
#include <math.h>

double f(double x) { return 1 / expm1(x); }
