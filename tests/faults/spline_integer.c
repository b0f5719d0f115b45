// class: integer division
// fault: 2 / 3 is 0
// spec: spline.fpcore
#include <math.h>

double f(double x) {
    double a = fabs(x);
    if (a < 1) return 2 / 3 + a * a * (a / 2 - 1);
    if (a < 2) return (2 - a) * (2 - a) * (2 - a) / 6;
    return 0;
}
