// class: overflow
// fault: the squares overflow from 1e155 on
// spec: givens.fpcore
#include <math.h>

void f(double a, double b, double *c, double *s, double *r) {
    double l = sqrt(a * a + b * b);
    *c = a / l;
    *s = b / l;
    *r = l;
}
