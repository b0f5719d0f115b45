// right: the rest of the product, which fma gives exactly, decides
// spec: ../parking.fpcore
#include <math.h>

double f(double t) {
    double n = ceil(t * 20);
    if (fma(t, 20, -n) > 0) n += 1;
    if (fma(t, 20, 1 - n) <= 0) n -= 1;
    return 0.35 * n;
}
