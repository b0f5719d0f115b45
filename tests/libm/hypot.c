// known: 0.792 ulps (glibc, Zimmermann and others, Accuracy of Mathematical Functions)
// spec: hypot.fpcore
#include <math.h>

double f(double x, double y) { return hypot(x, y); }
