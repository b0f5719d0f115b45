// class: truncated constant
// fault: 0.5556 for 5/9
// spec: fahrenheit.fpcore
#include <math.h>

double f(double t) { return 0.5555556 * (t - 32); }
