// right: the specification holds for it
// spec: ../slope.fpcore
#include <math.h>

double f(double x, double h) { return h / (x * (x + h)); }
