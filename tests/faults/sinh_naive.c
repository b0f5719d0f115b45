// class: cancellation
// fault: the difference of the exponentials cancels near 0
// spec: sinh.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) > 709)
        return copysign(exp(fabs(x) / 2) * (0.5 * exp(fabs(x) / 2)), x);
    return (exp(x) - exp(-x)) / 2;
}
