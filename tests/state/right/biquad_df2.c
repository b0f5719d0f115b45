// right: the specification holds for it
// spec: ../biquad_df2.fpcore
void f(double x, double w1, double w2, double *out) {
    double w = x + 1.6 * w1 - 0.81 * w2;
    out[0] = 1.19 * w - 1.6 * w1 + 0.62 * w2;
    out[1] = w;
    out[2] = w1;
}
