// right: as specified
// spec: ../arccot.fpcore
#include <math.h>

double f(double x) { return 1.57079632679489661923 - atan(x); }
