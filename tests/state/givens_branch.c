// class: copy and paste
// fault: scales by the larger number, and has the sine of the other branch where the first is larger
// spec: givens.fpcore
#include <math.h>

void f(double a, double b, double *c, double *s, double *r) {
    if (a > b) {
        double t = b / a, u = sqrt(1 + t * t);
        *c = 1 / u;
        *s = 1 / u;
        *r = a * u;
    } else {
        double t = a / b, u = sqrt(1 + t * t);
        *s = 1 / u;
        *c = t / u;
        *r = b * u;
    }
}
