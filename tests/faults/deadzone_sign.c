// class: copy and paste
// fault: the negative branch subtracts as well
// spec: deadzone.fpcore
#include <math.h>

double f(double x, double w) { return fabs(x) < w ? 0 : x - w; }
