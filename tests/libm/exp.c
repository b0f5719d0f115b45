// known: 0.510358 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: exp.fpcore
#include <math.h>

double f(double x) { return exp(x); }
