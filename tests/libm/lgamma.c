// known: 10.7809 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: lgamma.fpcore
#include <math.h>

double f(double x) { return lgamma(x); }
