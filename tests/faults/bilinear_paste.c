// class: copy and paste
// fault: the lower row is interpolated by v
// spec: bilinear.fpcore
#include <math.h>

double f(double p, double q, double r, double s, double u, double v) {
    double a = p + u * (q - p), b = r + v * (s - r);
    return a + v * (b - a);
}
