// right: the specification holds for it
// spec: ../givens.fpcore
#include <math.h>

void f(double a, double b, double *c, double *s, double *r) {
    double l = hypot(a, b);
    *c = a / l;
    *s = b / l;
    *r = l;
}
