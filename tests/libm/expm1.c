// known: 0.912462 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: expm1.fpcore
#include <math.h>

double f(double x) { return expm1(x); }
