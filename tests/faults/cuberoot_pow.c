// class: special case
// fault: pow refuses a negative base
// spec: cuberoot.fpcore
#include <math.h>

double f(double x) { return pow(x, 1.0 / 3); }
