// right: the specification holds for it
// spec: ../atanh.fpcore
#include <math.h>

double f(double x) { return atanh(x); }
