// right: the specification holds for it
// spec: ../decibel.fpcore
#include <math.h>

double f(double p) { return 10 * log10(p); }
