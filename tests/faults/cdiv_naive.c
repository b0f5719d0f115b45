// class: overflow
// fault: c * c + d * d overflows
// spec: cdiv.fpcore
#include <math.h>

double f(double a, double b, double c, double d) { return (a * c + b * d) / (c * c + d * d); }
