// class: integer division
// fault: 5 / 9 is 0
// spec: fahrenheit.fpcore
#include <math.h>

double f(double t) { return 5 / 9 * (t - 32); }
