// right: the specification holds for it
// spec: ../boxcox.fpcore
#include <math.h>

double f(double x, double l) { return l == 0 ? log(x) : expm1(l * log(x)) / l; }
