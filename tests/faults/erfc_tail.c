// class: polynomial cut short
// fault: the asymptotic series from 6 on has three terms
// spec: erfc.fpcore
#include <math.h>

double f(double x) {
    if (x < 6) return erfc(x);
    double t = 1 / (2 * x * x);
    return exp(-x * x) / (x * 1.77245385090551602730) * (1 - t + 3 * t * t);
}
