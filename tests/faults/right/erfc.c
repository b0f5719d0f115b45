// right: the specification holds for it
// spec: ../erfc.fpcore
#include <math.h>

double f(double x) { return erfc(x); }
