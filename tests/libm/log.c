// known: 0.519023 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: log.fpcore
#include <math.h>

double f(double x) { return log(x); }
