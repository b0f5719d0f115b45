// right: the rest of the product, which fma gives exactly, decides
// spec: ../salestax.fpcore
#include <math.h>

double f(double p) {
    double n = floor(p * 19);
    if (fma(p, 19, -n) < 0) n -= 1;
    if (fma(p, 19, -(n + 0.5)) >= 0) n += 1;
    return n / 100;
}
