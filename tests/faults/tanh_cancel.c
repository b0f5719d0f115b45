// class: cancellation
// fault: exp(2 x) - 1 cancels near 0
// spec: tanh.fpcore
#include <math.h>

double f(double x) {
    if (x > 20) return 1;
    if (x < -20) return -1;
    double e = exp(2 * x);
    return (e - 1) / (e + 1);
}
