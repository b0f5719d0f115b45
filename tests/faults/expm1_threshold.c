// class: threshold
// fault: the series is used only below 1e-6, where exp(x) - 1 already lost half of the digits
// spec: expm1.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) < 1e-6)
        return x + x * x / 2 + x * x * x / 6;
    return exp(x) - 1;
}
