// class: wrong sign
// fault: holds the integral where the control error leads away from the limit
// spec: pi_antiwindup.fpcore
#include <math.h>

void f(double e, double i, double u_prev, double *out) {
    int up = u_prev >= 100 && e < 0, down = u_prev <= -100 && e > 0;
    if (!up && !down) i += 0.025 * e;
    out[0] = fmax(-100, fmin(100, 1.6 * e + i));
    out[1] = i;
}
