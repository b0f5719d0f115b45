// class: overflow
// fault: halves of the smallest numbers underflow
// spec: mean.fpcore
#include <math.h>

double f(double a, double b) { return a / 2 + b / 2; }
