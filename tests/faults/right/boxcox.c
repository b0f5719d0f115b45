// right: the specification holds for it
// spec: ../boxcox.fpcore
#include <math.h>

double f(double x, double l) { return fabs(l) < 1e-300 ? log(x) : expm1(l * log(x)) / l; }
