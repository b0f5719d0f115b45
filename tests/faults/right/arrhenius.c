// right: the specification holds for it
// spec: ../arrhenius.fpcore
#include <math.h>

double f(double t) { return 1e11 * exp(-80000 / (8.314462618 * t)); }
