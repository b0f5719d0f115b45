// class: integer division
// fault: the exponent 1 / 3 is 0 for a negative argument
// spec: cuberoot.fpcore
#include <math.h>

double f(double x) { return x < 0 ? -pow(-x, 1 / 3) : pow(x, 1.0 / 3); }
