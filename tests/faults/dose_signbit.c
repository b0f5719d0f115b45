// class: special case
// fault: the sign bit of -0 is taken for a time before 0
// spec: dose.fpcore
#include <math.h>

double f(double a, double t) { return signbit(t) ? 0 : a * exp(-0.2 * t); }
