// known: 0.52218 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: acos.fpcore
#include <math.h>

double f(double x) { return acos(x); }
