// known: 1.79756 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: atanh.fpcore
#include <math.h>

double f(double x) { return atanh(x); }
