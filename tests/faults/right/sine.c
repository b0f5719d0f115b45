// right: the specification holds for it
// spec: ../sine.fpcore
#include <math.h>

double f(double x) { return sin(x); }
