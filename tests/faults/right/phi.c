// right: the specification holds for it
// spec: ../phi.fpcore
#include <math.h>

double f(double x) { return x == 0 ? 1 : expm1(x) / x; }
