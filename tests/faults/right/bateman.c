// right: the specification holds for it
// spec: ../bateman.fpcore
#include <math.h>

double f(double a, double b, double t) { return a == b ? t * exp(-a * t) : exp(-a * t) * -expm1((a - b) * t) / (b - a); }
