// class: abs for fabs
// fault: abs takes the integer part of the difference
// spec: relative.fpcore
#include <math.h>
#include <stdlib.h>

double f(double a, double b) { return abs(a - b) / fmax(fabs(a), fabs(b)); }
