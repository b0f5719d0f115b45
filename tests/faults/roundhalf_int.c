// class: overflow
// fault: an int holds the result
// spec: roundhalf.fpcore
#include <math.h>

double f(double x) { return x < 0 ? -(double)(int)(0.5 - x) : (double)(int)(x + 0.5); }
