// class: cancellation
// fault: 1 + x drops the digits of x
// spec: acosh1.fpcore
#include <math.h>

double f(double x) { return acosh(1 + x); }
