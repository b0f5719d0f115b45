// class: special case
// fault: 0 by 0 at 0
// spec: sinc.fpcore
#include <math.h>

double f(double x) { return sin(x) / x; }
