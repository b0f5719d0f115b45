// right: the specification holds for it
// spec: ../parallel.fpcore
#include <math.h>

double f(double a, double b) { return a < b ? a / (1 + a / b) : b / (1 + b / a); }
