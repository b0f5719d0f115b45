// right: the rest of the product, which fma gives exactly, decides
// spec: ../cents.fpcore
#include <math.h>

double f(double x) {
    double n = floor(x * 100);
    if (fma(x, 100, -n) < 0) n -= 1;
    if (fma(x, 100, -(n + 0.5)) >= 0) n += 1;
    return n / 100;
}
