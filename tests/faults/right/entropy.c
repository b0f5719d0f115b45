// right: the specification holds for it
// spec: ../entropy.fpcore
#include <math.h>

double f(double p) { return p == 0 || p == 1 ? 0 : -(p * log2(p) + (1 - p) * log2(1 - p)); }
