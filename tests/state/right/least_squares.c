// right: the specification holds for it
// spec: ../least_squares.fpcore
void f(const double *y, double *out) {
    double mean = 0, st = 0, tt = 0;
    for (int i = 0; i < 6; i++) mean += y[i] / 6;
    for (int i = 0; i < 6; i++) {
        double t = 0.5 * i - 1.25;
        st += t * y[i];
        tt += t * t;
    }
    out[0] = st / tt;
    out[1] = mean - 1.25 * out[0];
}
