// right: the specification holds for it
// spec: ../intensity.fpcore
#include <math.h>

double f(double p, double r) { return p / (4 * M_PI * r * r); }
