// known: 0.522168 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: atan.fpcore
#include <math.h>

double f(double x) { return atan(x); }
