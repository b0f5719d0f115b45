// right: the specification holds for it
// spec: ../mean.fpcore
#include <math.h>

double f(double a, double b) { return a + b <= 1.7e308 ? (a + b) / 2 : a / 2 + b / 2; }
