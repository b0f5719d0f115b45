// right: the specification holds for it
// spec: ../clarke_park.fpcore
#include <math.h>

void f(double ia, double ib, double th, double *d, double *q) {
    double be = (ia + 2 * ib) * 0.57735026918962576451, c = cos(th), s = sin(th);
    *d = ia * c + be * s;
    *q = be * c - ia * s;
}
