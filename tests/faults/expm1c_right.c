// right: by expm1
// spec: expm1c.fpcore
#include <math.h>

double f(double x) { return x == 0 ? 1 : expm1(x) / x; }
