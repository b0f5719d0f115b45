// right: the specification holds for it
// spec: ../sigmoid.fpcore
#include <math.h>

double f(double x) { return 1 / (1 + exp(-x)); }
