// class: special case
// fault: 0 by 0
// spec: phi.fpcore
#include <math.h>

double f(double x) { return expm1(x) / x; }
