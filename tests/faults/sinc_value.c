// class: special case
// fault: the value at 0 is that of sin
// spec: sinc.fpcore
#include <math.h>

double f(double x) { return x == 0 ? 0 : sin(x) / x; }
