// right: the specification holds for it
// spec: ../sqrtdiff.fpcore
#include <math.h>

double f(double x) { return 1 / (sqrt(x + 1) + sqrt(x)); }
