// class: threshold
// fault: rates within one part in 1,000 are taken for equal
// spec: bateman.fpcore
#include <math.h>

double f(double a, double b, double t) {
    return fabs(a - b) < 1e-3 * a ? t * exp(-a * t) : exp(-a * t) * -expm1((a - b) * t) / (b - a);
}
