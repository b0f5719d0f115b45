// right: the specification holds for it
// spec: ../modulo.fpcore
#include <math.h>

double f(double x, double y) { return fmod(x, y); }
