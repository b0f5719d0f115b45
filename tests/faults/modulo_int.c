// class: overflow
// fault: the quotient does not fit an int
// spec: modulo.fpcore
#include <math.h>

double f(double x, double y) { return fma(-y, (int)(x / y), x); }
