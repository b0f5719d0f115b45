// class: overflow
// fault: exp(x) overflows, and the sum drops a small exp(x)
// spec: softplus.fpcore
#include <math.h>

double f(double x) { return log(1 + exp(x)); }
