// class: premature rounding
// fault: the exponent is a float
// spec: arrhenius.fpcore
#include <math.h>

double f(double t) { float e = -80000 / (8.314462618 * t); return 1e11 * exp(e); }
