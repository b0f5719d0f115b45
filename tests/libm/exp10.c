// known: 2.00324 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: exp10.fpcore
#define _GNU_SOURCE
#include <math.h>

double f(double x) { return exp10(x); }
