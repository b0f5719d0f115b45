// class: branch cut
// fault: on the negative x axis the angle is -pi instead of pi
// spec: bearing.fpcore
#include <math.h>

double f(double y, double x) {
    const double pi = 3.14159265358979323846;
    if (x > 0) return atan(y / x);
    if (x < 0) return y > 0 ? atan(y / x) + pi : atan(y / x) - pi;
    return y > 0 ? pi / 2 : -pi / 2;
}
