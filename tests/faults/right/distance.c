// right: the specification holds for it
// spec: ../distance.fpcore
#include <math.h>

double f(double a, double b, double c, double d) { return sqrt((c - a) * (c - a) + (d - b) * (d - b)); }
