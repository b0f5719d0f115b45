// known: 0.515623 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: sin.fpcore
#include <math.h>

double f(double x) { return sin(x); }
