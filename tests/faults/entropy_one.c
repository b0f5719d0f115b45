// class: special case
// fault: 0 log 0 at 1
// spec: entropy.fpcore
#include <math.h>

double f(double p) { return p == 0 ? 0 : -(p * log2(p) + (1 - p) * log2(1 - p)); }
