// class: abs for fabs
// fault: abs takes the integer part
// spec: deadzone.fpcore
#include <math.h>
#include <stdlib.h>

double f(double x, double w) { return abs(x) < w ? 0 : x < 0 ? x + w : x - w; }
