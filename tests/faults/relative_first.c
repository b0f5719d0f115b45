// class: copy and paste
// fault: the absolute value of a twice
// spec: relative.fpcore
#include <math.h>

double f(double a, double b) { return fabs(a - b) / fmax(fabs(a), fabs(a)); }
