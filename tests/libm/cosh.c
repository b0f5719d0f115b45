// known: 1.92221 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: cosh.fpcore
#include <math.h>

double f(double x) { return cosh(x); }
