// class: overflow
// fault: the product overflows
// spec: parallel.fpcore
#include <math.h>

double f(double a, double b) { return a * b / (a + b); }
