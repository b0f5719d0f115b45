// class: truncated constant
// fault: one by the square root of 3 has six digits
// spec: clarke_park.fpcore
#include <math.h>

void f(double ia, double ib, double th, double *d, double *q) {
    double be = (ia + 2 * ib) * 0.577350, c = cos(th), s = sin(th);
    *d = ia * c + be * s;
    *q = be * c - ia * s;
}
