// right: the specification holds for it
// spec: ../variance.fpcore
#include <math.h>

double f(double a, double b, double c) {
    double u = b - a, v = c - a, m = (u + v) / 3;
    return (m * m + (u - m) * (u - m) + (v - m) * (v - m)) / 2;
}
