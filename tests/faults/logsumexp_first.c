// class: special case
// fault: the first is taken for the larger
// spec: logsumexp.fpcore
#include <math.h>

double f(double a, double b) { return a + log1p(exp(b - a)); }
