// right: the specification holds for it
// spec: ../deadzone.fpcore
#include <math.h>

double f(double x, double w) { return fabs(x) < w ? 0 : x < 0 ? x + w : x - w; }
