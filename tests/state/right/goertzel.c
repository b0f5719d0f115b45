// right: the specification holds for it
// spec: ../goertzel.fpcore
#include <math.h>

double f(const double *x) {
    double k = 2 * cos(2 * acos(-1.0) * 0.3125), a = 0, b = 0;
    for (int i = 0; i < 8; i++) {
        double t = x[i] + k * a - b;
        b = a;
        a = t;
    }
    return a * a + b * b - k * a * b;
}
