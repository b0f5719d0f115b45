// right: the specification holds for it
// spec: ../cdiv.fpcore
#include <math.h>

double f(double a, double b, double c, double d) {
    if (fabs(c) >= fabs(d)) {
        double r = d / c, t = 1 / (c + d * r);
        return (r == 0) ? (a + d * (b / c)) * t : (a + b * r) * t;
    }
    double r = c / d, t = 1 / (d + c * r);
    return (r == 0) ? (b + c * (a / d)) * t : (a * r + b) * t;
}
