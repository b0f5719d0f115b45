// class: cancellation
// fault: 1 less the value at -x
// spec: sigmoid.fpcore
#include <math.h>

double f(double x) { return x >= 0 ? 1 / (1 + exp(-x)) : 1 - 1 / (1 + exp(x)); }
