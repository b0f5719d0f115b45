// right: the specification holds for it
// spec: ../log1p.fpcore
#include <math.h>

double f(double x) { return log1p(x); }
