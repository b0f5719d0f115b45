// right: the specification holds for it
// spec: ../starlight.fpcore
#include <math.h>

double f(double s) { return -2.5 * log10(s / 3631); }
