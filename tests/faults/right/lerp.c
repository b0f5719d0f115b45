// right: the specification holds for it
// spec: ../lerp.fpcore
#include <math.h>

double f(double a, double b, double t) { return a + t * (b - a); }
