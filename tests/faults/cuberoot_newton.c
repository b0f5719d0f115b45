// class: iteration count
// fault: two Newton steps from a guess by the exponent
// spec: cuberoot.fpcore
#include <math.h>

double f(double x) {
    if (x == 0) return 0;
    int e;
    double m = frexp(fabs(x), &e);
    int k = (int)floor(e / 3.0), r = e - 3 * k;
    m = ldexp(m, r);
    double y = 0.6 + 0.35 * m;
    for (int i = 0; i < 2; i++)
        y -= (y - m / (y * y)) / 3;
    return copysign(ldexp(y, k), x);
}
