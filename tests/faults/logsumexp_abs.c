// class: abs for fabs
// fault: abs takes the integer part of the difference
// spec: logsumexp.fpcore
#include <math.h>
#include <stdlib.h>

double f(double a, double b) { return fmax(a, b) + log1p(exp(-abs(a - b))); }
