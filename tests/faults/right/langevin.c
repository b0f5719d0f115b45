// right: the specification holds for it
// spec: ../langevin.fpcore
#include <math.h>

double f(double x) {
    double s = x * x;
    if (x < 0.1)
        return x * (1.0 / 3 - s * (1.0 / 45 - s * (2.0 / 945 - s / 4725)));
    return 1 / tanh(x) - 1 / x;
}
