// known: 3.66714 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: cbrt.fpcore
#include <math.h>

double f(double x) { return cbrt(x); }
