// class: order of updates
// fault: the rate is corrected by what remains after the range has been corrected
// spec: alpha_beta.fpcore
void f(double x, double v, double z, double *out) {
    x += 0.05 * v;
    x += 0.4 * (z - x);
    v += 2 * (z - x);
    out[0] = x;
    out[1] = v;
}
