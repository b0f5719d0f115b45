// known: 2.15414 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: tanh.fpcore
#include <math.h>

double f(double x) { return tanh(x); }
