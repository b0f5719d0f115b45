// class: order of updates
// fault: the delay line is shifted from the front, so that both places get the new value
// spec: biquad_df2.fpcore
void f(double x, double w1, double w2, double *out) {
    double w = x + 1.6 * w1 - 0.81 * w2;
    out[0] = 1.19 * w - 1.6 * w1 + 0.62 * w2;
    w1 = w;
    w2 = w1;
    out[1] = w1;
    out[2] = w2;
}
