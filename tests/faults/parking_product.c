// class: premature rounding
// fault: the product by 20 is rounded to a whole number
// spec: parking.fpcore
#include <math.h>

double f(double t) { return 0.35 * ceil(t * 20); }
