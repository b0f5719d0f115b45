// class: threshold
// fault: the geometric mean stands for exponents within a thousandth of 0
// spec: powermean.fpcore
#include <math.h>

double f(double a, double b, double p) {
    return fabs(p) < 1e-3 ? sqrt(a * b) : exp(log1p((expm1(p * log(a)) + expm1(p * log(b))) / 2) / p);
}
