// class: special case
// fault: a negative argument is not mirrored in the outer piece
// spec: spline.fpcore
#include <math.h>

double f(double x) {
    double a = fabs(x);
    if (a < 1) return 2.0 / 3 + a * a * (a / 2 - 1);
    if (x > 0 && a < 2) return (2 - a) * (2 - a) * (2 - a) / 6;
    return 0;
}
