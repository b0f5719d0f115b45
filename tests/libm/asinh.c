// known: 1.91355 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: asinh.fpcore
#include <math.h>

double f(double x) { return asinh(x); }
