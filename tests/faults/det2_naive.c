// class: cancellation
// fault: the products are rounded before they cancel
// spec: det2.fpcore
#include <math.h>

double f(double a, double b, double c, double d) { return a * d - b * c; }
