// class: premature rounding
// fault: the product is rounded up to a whole number
// spec: stairs.fpcore
#include <math.h>

double f(double x) { return floor(x * 10); }
