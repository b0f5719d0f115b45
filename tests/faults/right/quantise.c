// right: the rest of the product, which fma gives exactly, decides
// spec: ../quantise.fpcore
#include <math.h>

double f(double x) {
    double a = fabs(x), n = floor(a * 10);
    if (fma(a, 10, -n) < 0) n -= 1;
    if (fma(a, 10, -(n + 0.5)) >= 0) n += 1;
    return copysign(n / 10, x);
}
