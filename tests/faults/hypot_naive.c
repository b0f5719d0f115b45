// class: overflow
// fault: the squares overflow and underflow
// spec: hypot.fpcore
#include <math.h>

double f(double x, double y) { return sqrt(x * x + y * y); }
