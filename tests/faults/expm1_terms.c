// class: iteration count
// fault: the loop over the terms ends one too early
// spec: expm1.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) > 0.5)
        return exp(x) - 1;
    double term = x, sum = 0;
    for (int k = 1; k < 12; k++) {
        sum += term;
        term *= x / (k + 1);
    }
    return sum;
}
