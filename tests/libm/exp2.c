// known: 0.510482 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: exp2.fpcore
#include <math.h>

double f(double x) { return exp2(x); }
