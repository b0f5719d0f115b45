// right: the specification holds for it
// spec: ../quadratic.fpcore
#include <math.h>

double f(double a, double b, double c) { return -2 * c / (b + sqrt(b * b - 4 * a * c)); }
