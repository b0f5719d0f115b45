// class: premature rounding
// fault: the rounded rate turns a half over to the cent below
// spec: salestax.fpcore
#include <math.h>

double f(double p) { return floor(100 * (p * 0.19) + 0.5) / 100; }
