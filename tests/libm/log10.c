// known: 1.61828 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: log10.fpcore
#include <math.h>

double f(double x) { return log10(x); }
