// class: overflow
// fault: e^x is infinite before x is taken for the result
// spec: softstep.fpcore
#include <math.h>

double f(double x) { return x > 1024 ? x : x < -40 ? exp(x) : log1p(exp(x)); }
