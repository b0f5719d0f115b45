// class: truncated constant
// fault: the gas constant with four digits
// spec: arrhenius.fpcore
#include <math.h>

double f(double t) { return 1e11 * exp(-80000 / (8.314 * t)); }
