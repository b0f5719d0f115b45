// class: cancellation
// fault: pow(1 + r, n) - 1 for a small rate
// spec: annuity.fpcore
#include <math.h>

double f(double r, double n) { return r == 0 ? n : (pow(1 + r, n) - 1) / r; }
