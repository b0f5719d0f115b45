// class: cancellation
// fault: r - x for a positive x
// spec: csqrt.fpcore
#include <math.h>

double f(double x, double y) {
    if (y == 0) return x < 0 ? sqrt(-x) : 0;
    return copysign(sqrt((hypot(x, y) - x) / 2), y);
}
