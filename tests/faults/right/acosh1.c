// right: the specification holds for it
// spec: ../acosh1.fpcore
#include <math.h>

double f(double x) { return log1p(x + sqrt(x * (x + 2))); }
