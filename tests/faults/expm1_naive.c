// class: cancellation
// fault: exp(x) - 1 loses the digits of a small x
// spec: expm1.fpcore
#include <math.h>

double f(double x) { return exp(x) - 1; }
