// class: truncated constant
// fault: the coefficient of x^3 with seven digits
// spec: horner.fpcore
#include <math.h>

double f(double x) {
    double s = 1 + x / 8 * (1 + x / 9 * (1 + x / 10 * (1 + x / 11 * (1 + x / 12 * (1 + x / 13)))));
    s = 1 / 24.0 + x / 120 * (1 + x / 6 * (1 + x / 7 * s));
    return 1 + x + x * x / 2 + x * x * x * 0.1666667 + x * x * x * x * s;
}
