// class: threshold
// fault: the threshold is 800
// spec: drag.fpcore
#include <math.h>

double f(double r) { return r < 800 ? 24 / r * (1 + 0.15 * pow(r, 0.687)) : 0.44; }
