// right: the specification holds for it
// spec: ../softplus.fpcore
#include <math.h>

double f(double x) { return x < 0 ? log1p(exp(x)) : x + log1p(exp(-x)); }
