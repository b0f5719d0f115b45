// class: threshold
// fault: no correction within a twentieth of a degree of 25
// spec: conductivity.fpcore
#include <math.h>

double f(double k, double t) { return fabs(t - 25) < 0.05 ? k : k / (1 + 0.02 * (t - 25)); }
