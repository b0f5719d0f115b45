// class: wrong sign
// fault: turns by the rotor angle the other way
// spec: clarke_park.fpcore
#include <math.h>

void f(double ia, double ib, double th, double *d, double *q) {
    double be = (ia + 2 * ib) / sqrt(3), c = cos(th), s = sin(th);
    *d = ia * c - be * s;
    *q = be * c + ia * s;
}
