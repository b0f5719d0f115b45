// class: threshold
// fault: ends when a step changes less than 1e-5, relative, and does not take that step
// spec: newton_sqrt.fpcore
#include <math.h>

double f(double a) {
    double x = (1 + a) / 2;
    for (int i = 0; i < 4; i++) {
        double next = 0.5 * (x + a / x);
        if (fabs(next - x) < 1e-5 * x) break;
        x = next;
    }
    return x;
}
