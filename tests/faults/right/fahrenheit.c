// right: the specification holds for it
// spec: ../fahrenheit.fpcore
#include <math.h>

double f(double t) { return 5 * (t - 32) / 9; }
