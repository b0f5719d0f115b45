// right: the specification holds for it
// spec: ../sinh.fpcore
#include <math.h>

double f(double x) { return sinh(x); }
