// right: the specification holds for it
// spec: ../annuity.fpcore
#include <math.h>

double f(double r, double n) { return r < 1e-20 ? n : expm1(n * log1p(r)) / r; }
