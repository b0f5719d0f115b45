// class: premature rounding
// fault: the quotient by a rounded twentieth is rounded
// spec: parking.fpcore
#include <math.h>

double f(double t) { return 0.35 * ceil(t / 0.05); }
