// right: as specified
// spec: ../dose.fpcore
#include <math.h>

double f(double a, double t) { return t < 0 ? 0 : a * exp(-0.2 * t); }
