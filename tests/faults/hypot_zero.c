// class: special case
// fault: 0 by 0 where both are 0
// spec: hypot.fpcore
#include <math.h>

double f(double x, double y) {
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    double t = b / a;
    return a * sqrt(1 + t * t);
}
