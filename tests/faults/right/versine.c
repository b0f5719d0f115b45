// right: the specification holds for it
// spec: ../versine.fpcore
#include <math.h>

double f(double x) { double s = sin(x / 2); return 2 * s * s; }
