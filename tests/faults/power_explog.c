// class: premature rounding
// fault: the logarithm is rounded before it is multiplied by hundreds
// spec: power.fpcore
#include <math.h>

double f(double x, double y) { return exp(y * log(x)); }
