// class: premature rounding
// fault: sqrtf
// spec: sqrtnewton.fpcore
#include <math.h>

double f(double x) { return sqrtf((float)x); }
