// right: below 1e-12 the geometric mean is as near, and products with p keep all bits
// spec: ../powermean.fpcore
#include <math.h>

double f(double a, double b, double p) {
    return fabs(p) < 1e-12 ? sqrt(a * b) : exp(log1p((expm1(p * log(a)) + expm1(p * log(b))) / 2) / p);
}
