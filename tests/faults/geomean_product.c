// class: overflow
// fault: the product overflows or underflows
// spec: geomean.fpcore
#include <math.h>

double f(double a, double b) { return sqrt(a * b); }
