// class: branch cut
// fault: the sign of the imaginary part is lost
// spec: csqrt.fpcore
#include <math.h>

double f(double x, double y) {
    double r = hypot(x, y);
    if (y == 0) return x < 0 ? sqrt(-x) : 0;
    if (x < 0) return sqrt((r - x) / 2);
    return y / sqrt(2 * (r + x));
}
