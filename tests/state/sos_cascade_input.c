// class: stale state
// fault: the second section gets the input of the first for its own, and only its first sum is right
// spec: sos_cascade.fpcore
static const double B[2][3] = {{0.0285, 0.057, 0.0285}, {0.031, 0.062, 0.031}};
static const double A[2][2] = {{-1.32, 0.46}, {-1.51, 0.72}};

void f(const double *in, double *out) {
    double y = in[0];
    for (int k = 0; k < 2; k++) {
        const double *s = in + 1 + 2 * k;
        y = B[k][0] * y + s[0];
        out[1 + 2 * k] = B[k][1] * in[0] - A[k][0] * y + s[1];
        out[2 + 2 * k] = B[k][2] * in[0] - A[k][1] * y;
    }
    out[0] = y;
}
