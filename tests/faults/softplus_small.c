// class: cancellation
// fault: log(1 + e) for a small e
// spec: softplus.fpcore
#include <math.h>

double f(double x) { return x > 0 ? x + log(1 + exp(-x)) : log(1 + exp(x)); }
