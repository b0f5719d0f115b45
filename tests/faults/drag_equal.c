// class: branch cut
// fault: the threshold itself is taken for the lower branch
// spec: drag.fpcore
#include <math.h>

double f(double r) { return r <= 1000 ? 24 / r * (1 + 0.15 * pow(r, 0.687)) : 0.44; }
