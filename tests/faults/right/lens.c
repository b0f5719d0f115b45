// right: the specification holds for it
// spec: ../lens.fpcore
#include <math.h>

double f(double o, double r) { return o * r / (o - r); }
