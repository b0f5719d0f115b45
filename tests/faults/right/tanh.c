// right: the specification holds for it
// spec: ../tanh.fpcore
#include <math.h>

double f(double x) { return tanh(x); }
