// class: cancellation
// fault: exp(x) - 1 for a small x
// spec: planck.fpcore
#include <math.h>

double f(double x) { return 1 / (exp(x) - 1); }
