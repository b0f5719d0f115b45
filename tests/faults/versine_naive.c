// class: cancellation
// fault: 1 - cos(x) near 0
// spec: versine.fpcore
#include <math.h>

double f(double x) { return 1 - cos(x); }
