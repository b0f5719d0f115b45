// class: premature rounding
// fault: the quotient by a rounded tenth is wrong at few tenths only, such as 1.7 and 3.4
// spec: stairs.fpcore
#include <math.h>

double f(double x) { return floor(x / 0.1); }
