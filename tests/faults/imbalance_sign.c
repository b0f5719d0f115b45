// class: special case
// fault: the side is the sign of a number that is never 0, which -0 turns over
// spec: imbalance.fpcore
#include <math.h>

double f(double p, double d) { return copysign(1, d) < 0 ? 8 - p * d : 20 + 0.5 * p * d; }
