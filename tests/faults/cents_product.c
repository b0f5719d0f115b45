// class: premature rounding
// fault: the product is rounded to a half
// spec: cents.fpcore
#include <math.h>

double f(double x) { return floor(x * 100 + 0.5) / 100; }
