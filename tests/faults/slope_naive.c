// class: cancellation
// fault: the reciprocals cancel
// spec: slope.fpcore
#include <math.h>

double f(double x, double h) { return 1 / x - 1 / (x + h); }
