// class: cancellation
// fault: exp(x) - 1 by a small x
// spec: phi.fpcore
#include <math.h>

double f(double x) { return x == 0 ? 1 : (exp(x) - 1) / x; }
