// class: premature rounding
// fault: a slack of 1e-9 takes what is just below a tenth for it
// spec: stairs.fpcore
#include <math.h>

double f(double x) { return floor(x * 10 + 1e-9); }
