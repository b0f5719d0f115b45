// known: 8.78636 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: tgamma.fpcore
#include <math.h>

double f(double x) { return tgamma(x); }
