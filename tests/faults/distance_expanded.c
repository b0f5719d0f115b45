// class: cancellation
// fault: the squares expanded
// spec: distance.fpcore
#include <math.h>

double f(double a, double b, double c, double d) {
    double q = (c * c - 2 * a * c + a * a) + (d * d - 2 * b * d + b * b);
    return q < 0 ? 0 : sqrt(q);
}
