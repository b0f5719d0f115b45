// class: threshold
// fault: the support ends at 1.9
// spec: spline.fpcore
#include <math.h>

double f(double x) {
    double a = fabs(x);
    if (a < 1) return 2.0 / 3 + a * a * (a / 2 - 1);
    if (a < 1.9) return (2 - a) * (2 - a) * (2 - a) / 6;
    return 0;
}
