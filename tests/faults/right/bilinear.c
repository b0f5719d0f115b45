// right: the specification holds for it
// spec: ../bilinear.fpcore
#include <math.h>

double f(double p, double q, double r, double s, double u, double v) {
    double a = p + u * (q - p), b = r + u * (s - r);
    return a + v * (b - a);
}
