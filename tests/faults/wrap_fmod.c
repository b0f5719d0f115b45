// class: range reduction
// fault: fmod of a negative number is negative
// spec: wrap.fpcore
#include <math.h>

double f(double a) { return fmod(a + 180, 360) - 180; }
