// class: stale state
// fault: eliminates with the diagonal as it was given
// spec: tridiagonal4.fpcore
void f(const double *in, double *out) {
    double d[4], x[4];
    for (int i = 0; i < 4; i++) {
        d[i] = in[i];
        x[i] = in[4 + i];
    }
    for (int i = 1; i < 4; i++) {
        double m = -1 / in[i - 1];
        d[i] += m;
        x[i] -= m * x[i - 1];
    }
    x[3] /= d[3];
    for (int i = 2; i >= 0; i--) x[i] = (x[i] + x[i + 1]) / d[i];
    for (int i = 0; i < 4; i++) out[i] = x[i];
}
