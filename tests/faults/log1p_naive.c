// class: cancellation
// fault: log(1 + x) loses the digits of a small x
// spec: log1p.fpcore
#include <math.h>

double f(double x) { return log(1 + x); }
