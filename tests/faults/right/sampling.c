// right: the rest of the product is exact
// spec: ../sampling.fpcore
#include <math.h>

double f(double t) {
    double n = floor(t * 10);
    if (fma(t, 10, -n) < 0) n -= 1;
    return fma(t, 10, -n) / 10;
}
