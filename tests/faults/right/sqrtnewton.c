// right: the specification holds for it
// spec: ../sqrtnewton.fpcore
#include <math.h>

double f(double x) { return sqrt(x); }
