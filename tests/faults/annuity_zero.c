// class: special case
// fault: 0 by 0 at rate 0
// spec: annuity.fpcore
#include <math.h>

double f(double r, double n) { return expm1(n * log1p(r)) / r; }
