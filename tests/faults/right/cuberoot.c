// right: the specification holds for it
// spec: ../cuberoot.fpcore
#include <math.h>

double f(double x) { return cbrt(x); }
