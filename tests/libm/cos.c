// known: 0.560741 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: cos.fpcore
#include <math.h>

double f(double x) { return cos(x); }
