// right: the specification holds for it
// spec: ../relative.fpcore
#include <math.h>

double f(double a, double b) { return fabs(a - b) / fmax(fabs(a), fabs(b)); }
