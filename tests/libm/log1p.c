// known: 0.898172 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: log1p.fpcore
#include <math.h>

double f(double x) { return log1p(x); }
