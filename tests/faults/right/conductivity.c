// right: as specified
// spec: ../conductivity.fpcore
#include <math.h>

double f(double k, double t) { return k / (1 + 0.02 * (t - 25)); }
