// known: 0.515403 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: asin.fpcore
#include <math.h>

double f(double x) { return asin(x); }
