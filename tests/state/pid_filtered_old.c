// class: stale state
// fault: the command has the integral of the step before in it
// spec: pid_filtered.fpcore
#include <math.h>

void f(double r, double y, double y_prev, double i, double d_prev, double *out) {
    const double dt = 0.02, tf = 0.1;
    double e = r - y;
    double d = (tf * d_prev - 0.25 * (y - y_prev)) / (tf + dt);
    double u = 1.8 * e + i + d;
    out[0] = fmin(100, fmax(0, u));
    out[1] = fmin(50, fmax(-50, i + 0.6 * dt * e));
    out[2] = d;
}
