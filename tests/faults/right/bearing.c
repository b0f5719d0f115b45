// right: the specification holds for it
// spec: ../bearing.fpcore
#include <math.h>

double f(double y, double x) { return atan2(y, x); }
