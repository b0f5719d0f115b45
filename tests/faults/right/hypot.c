// right: the specification holds for it
// spec: ../hypot.fpcore
#include <math.h>

double f(double x, double y) { return hypot(x, y); }
