// class: cancellation
// fault: the polynomial expanded
// spec: cube.fpcore
#include <math.h>

double f(double x) { return x * x * x - 3 * x * x + 3 * x - 1; }
