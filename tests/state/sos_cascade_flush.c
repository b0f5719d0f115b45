// class: threshold
// fault: takes states below 1e-6 for 0, to keep the numbers away from subnormal ones
// spec: sos_cascade.fpcore
#include <math.h>

static const double B[2][3] = {{0.0285, 0.057, 0.0285}, {0.031, 0.062, 0.031}};
static const double A[2][2] = {{-1.32, 0.46}, {-1.51, 0.72}};

void f(const double *in, double *out) {
    double x = in[0];
    for (int k = 0; k < 2; k++) {
        const double *s = in + 1 + 2 * k;
        double y = B[k][0] * x + (fabs(s[0]) < 1e-6 ? 0 : s[0]);
        out[1 + 2 * k] = B[k][1] * x - A[k][0] * y + s[1];
        out[2 + 2 * k] = B[k][2] * x - A[k][1] * y;
        x = y;
    }
    out[0] = x;
}
