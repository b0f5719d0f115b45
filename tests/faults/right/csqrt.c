// right: the specification holds for it
// spec: ../csqrt.fpcore
#include <math.h>

double f(double x, double y) {
    double r = hypot(x, y);
    if (y == 0) return x < 0 ? sqrt(-x) : 0;
    if (x < 0) return copysign(sqrt((r - x) / 2), y);
    return y / sqrt(2 * (r + x));
}
