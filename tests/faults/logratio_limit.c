// class: threshold
// fault: the limit is taken within a millionth of 1
// spec: logratio.fpcore
#include <math.h>

double f(double x) { return fabs(x - 1) < 1e-6 ? 1 : log(x) / (x - 1); }
