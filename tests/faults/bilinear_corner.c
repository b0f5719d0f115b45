// class: copy and paste
// fault: the fourth corner is the third again
// spec: bilinear.fpcore
#include <math.h>

double f(double p, double q, double r, double s, double u, double v) {
    (void)s;
    double a = p + u * (q - p), b = r + u * (r - r);
    return a + v * (b - a);
}
