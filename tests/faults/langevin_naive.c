// class: cancellation
// fault: two large numbers for a small x
// spec: langevin.fpcore
#include <math.h>

double f(double x) { return 1 / tanh(x) - 1 / x; }
