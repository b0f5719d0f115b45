// known: 0.544544 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: log2.fpcore
#include <math.h>

double f(double x) { return log2(x); }
