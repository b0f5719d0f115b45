// known: 5.08754 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: erfc.fpcore
#include <math.h>

double f(double x) { return erfc(x); }
