// class: premature rounding
// fault: the product is rounded to a tie that the number itself is below
// spec: quantise.fpcore
#include <math.h>

double f(double x) { return round(x * 10) / 10; }
