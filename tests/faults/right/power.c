// right: the specification holds for it
// spec: ../power.fpcore
#include <math.h>

double f(double x, double y) { return pow(x, y); }
