// class: threshold
// fault: x / 3 up to 0.1
// spec: langevin.fpcore
#include <math.h>

double f(double x) { return x < 0.1 ? x / 3 : 1 / tanh(x) - 1 / x; }
