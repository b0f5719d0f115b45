// known: 2.24121 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: acosh.fpcore
#include <math.h>

double f(double x) { return acosh(x); }
