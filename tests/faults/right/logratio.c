// right: log1p of the difference
// spec: ../logratio.fpcore
#include <math.h>

double f(double x) { return x == 1 ? 1 : log1p(x - 1) / (x - 1); }
