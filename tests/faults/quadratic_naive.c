// class: cancellation
// fault: b and the square root of the discriminant cancel
// spec: quadratic.fpcore
#include <math.h>

double f(double a, double b, double c) { return (sqrt(b * b - 4 * a * c) - b) / (2 * a); }
