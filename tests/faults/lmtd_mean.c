// class: threshold
// fault: the arithmetic mean where the two differ by less than a tenth of a degree
// spec: lmtd.fpcore
#include <math.h>

double f(double a, double b) { return fabs(a - b) < 0.1 ? (a + b) / 2 : (a - b) / log(a / b); }
