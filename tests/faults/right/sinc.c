// right: the specification holds for it
// spec: ../sinc.fpcore
#include <math.h>

double f(double x) { return x == 0 ? 1 : sin(x) / x; }
