// class: threshold
// fault: Stokes' law up to 0.1
// spec: drag.fpcore
#include <math.h>

double f(double r) { return r < 0.1 ? 24 / r : r < 1000 ? 24 / r * (1 + 0.15 * pow(r, 0.687)) : 0.44; }
