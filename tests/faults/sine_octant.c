// class: octant
// fault: the fourth quadrant has the sign of the second
// spec: sine.fpcore
#include <math.h>

double f(double x) {
    const double half = 1.57079632679489661923;
    double k = floor(x / half + 0.5), y = remainder(x, 6.28318530717958647693);
    y = x - k * half - k * 6.123233995736766e-17;
    int q = (int)fmod(fmod(k, 4) + 4, 4);
    if (q == 0) return sin(y);
    if (q == 1) return cos(y);
    if (q == 2) return -sin(y);
    return cos(y);
}
