// class: copy and paste
// fault: the second absolute value is that of x as well
// spec: hypot.fpcore
#include <math.h>

double f(double x, double y) {
    double a = fabs(x), b = fabs(x) < fabs(y) ? fabs(y) : fabs(x);
    double m = fmax(a, b), n = fmin(a, b);
    if (m == 0) return 0;
    double t = n / m;
    return m * sqrt(1 + t * t);
}
