// right: by the larger of x and 0
// spec: softstep.fpcore
#include <math.h>

double f(double x) { return fmax(x, 0) + log1p(exp(-fabs(x))); }
