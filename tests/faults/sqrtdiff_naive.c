// class: cancellation
// fault: the roots of neighbours cancel
// spec: sqrtdiff.fpcore
#include <math.h>

double f(double x) { return sqrt(x + 1) - sqrt(x); }
