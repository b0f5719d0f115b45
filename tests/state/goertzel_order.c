// class: order of updates
// fault: the older state becomes the new value
// spec: goertzel.fpcore
#include <math.h>

double f(const double *x) {
    double k = 2 * cos(2 * acos(-1.0) * 0.3125), a = 0, b = 0;
    for (int i = 0; i < 8; i++) {
        a = x[i] + k * a - b;
        b = a;
    }
    return a * a + b * b - k * a * b;
}
