// right: the rest of the product, which fma gives exactly, decides
// spec: ../stairs.fpcore
#include <math.h>

double f(double x) {
    double n = floor(x * 10);
    return fma(x, 10, -n) < 0 ? n - 1 : n;
}
