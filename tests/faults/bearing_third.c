// class: octant
// fault: the third quadrant gets the correction of the second
// spec: bearing.fpcore
#include <math.h>

double f(double y, double x) {
    const double pi = 3.14159265358979323846;
    if (x > 0) return atan(y / x);
    if (x < 0) return atan(y / x) + pi;
    return y > 0 ? pi / 2 : -pi / 2;
}
