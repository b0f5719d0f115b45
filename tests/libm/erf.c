// known: 1.42295 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: erf.fpcore
#include <math.h>

double f(double x) { return erf(x); }
