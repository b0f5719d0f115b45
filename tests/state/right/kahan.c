// right: the specification holds for it
// spec: ../kahan.fpcore
double f(const double *in) {
    volatile double s = in[0], c = 0;
    for (int i = 1; i <= 12; i++) {
        volatile double y = in[i] - c, t = s + y;
        c = (t - s) - y;
        s = t;
    }
    return s;
}
