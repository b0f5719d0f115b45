// class: threshold
// fault: x from 15 on, where 3e-7 are missing
// spec: softplus.fpcore
#include <math.h>

double f(double x) { return x > 15 ? x : log1p(exp(x)); }
