// class: overflow
// fault: the sum overflows
// spec: mean.fpcore
#include <math.h>

double f(double a, double b) { return (a + b) / 2; }
