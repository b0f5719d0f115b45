// class: wrong sign
// fault: the derivative has the sign of a derivative of the control error
// spec: pid_filtered.fpcore
#include <math.h>

void f(double r, double y, double y_prev, double i, double d_prev, double *out) {
    const double dt = 0.02, tf = 0.1;
    double e = r - y;
    i = fmin(50, fmax(-50, i + 0.6 * dt * e));
    double d = (tf * d_prev + 0.25 * (y - y_prev)) / (tf + dt);
    out[0] = fmin(100, fmax(0, 1.8 * e + i + d));
    out[1] = i;
    out[2] = d;
}
