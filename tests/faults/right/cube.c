// right: the specification holds for it
// spec: ../cube.fpcore
#include <math.h>

double f(double x) { double u = x - 1; return u * u * u; }
