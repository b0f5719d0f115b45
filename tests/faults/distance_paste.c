// class: copy and paste
// fault: the difference in y times that in x
// spec: distance.fpcore
#include <math.h>

double f(double a, double b, double c, double d) { return sqrt((c - a) * (c - a) + fabs((d - b) * (c - a))); }
