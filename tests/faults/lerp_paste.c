// class: copy and paste
// fault: the weight of b for both
// spec: lerp.fpcore
#include <math.h>

double f(double a, double b, double t) { return t * a + t * b; }
