// class: special case
// fault: the reciprocal of -0 is negative, and nothing is added
// spec: arccot.fpcore
#include <math.h>

double f(double x) { double a = atan(1 / x); return x < 0 ? a + 3.14159265358979323846 : a; }
