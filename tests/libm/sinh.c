// known: 1.92221 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: sinh.fpcore
#include <math.h>

double f(double x) { return sinh(x); }
