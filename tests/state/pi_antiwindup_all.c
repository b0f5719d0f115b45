// class: forgotten case
// fault: holds the integral at a limit whatever the control error is
// spec: pi_antiwindup.fpcore
#include <math.h>

void f(double e, double i, double u_prev, double *out) {
    if (fabs(u_prev) < 100) i += 0.025 * e;
    out[0] = fmax(-100, fmin(100, 1.6 * e + i));
    out[1] = i;
}
