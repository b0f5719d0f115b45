// right: as specified
// spec: ../resonance.fpcore
#include <math.h>

double f(double w) { double r = w / 440; return 1 / hypot((1 - r) * (1 + r), 0.01 * r); }
