// right: as specified
// spec: ../symlog.fpcore
#include <math.h>

double f(double x) { return copysign(log1p(fabs(x)), x); }
