// class: threshold
// fault: takes x for the result from 8 on, where 20 is meant
// spec: softstep.fpcore
#include <math.h>

double f(double x) { return x > 8 ? x : log1p(exp(x)); }
