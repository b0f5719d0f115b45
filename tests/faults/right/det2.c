// right: the specification holds for it
// spec: ../det2.fpcore
#include <math.h>

double f(double a, double b, double c, double d) {
    double w = b * c, e = fma(-b, c, w), s = fma(a, d, -w);
    return s + e;
}
