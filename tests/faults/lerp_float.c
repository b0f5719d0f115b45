// class: premature rounding
// fault: the parameter in single precision
// spec: lerp.fpcore
#include <math.h>

double f(double a, double b, double t) { float s = t; return a + s * (b - a); }
