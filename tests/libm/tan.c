// known: 0.618366 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: tan.fpcore
#include <math.h>

double f(double x) { return tan(x); }
