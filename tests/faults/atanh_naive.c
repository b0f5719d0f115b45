// class: cancellation
// fault: log of a quotient next to 1
// spec: atanh.fpcore
#include <math.h>

double f(double x) { return 0.5 * log((1 + x) / (1 - x)); }
