// right: the specification holds for it
// spec: ../logsumexp.fpcore
#include <math.h>

double f(double a, double b) { return fmax(a, b) + log1p(exp(-fabs(a - b))); }
