// class: threshold
// fault: two terms of the series within a thousandth of 1, where the third counts
// spec: logratio.fpcore
#include <math.h>

double f(double x) { return fabs(x - 1) < 1e-3 ? 1 - (x - 1) / 2 : log(x) / (x - 1); }
