// right: the specification holds for it
// spec: ../geomean.fpcore
#include <math.h>

double f(double a, double b) { return sqrt(a) * sqrt(b); }
