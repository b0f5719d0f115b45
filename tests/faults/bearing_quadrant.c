// class: octant
// fault: atan of a quotient knows two quadrants only
// spec: bearing.fpcore
#include <math.h>

double f(double y, double x) {
    if (x == 0) return y > 0 ? 1.57079632679489661923 : -1.57079632679489661923;
    return atan(y / x);
}
