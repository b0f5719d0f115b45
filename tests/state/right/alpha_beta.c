// right: the specification holds for it
// spec: ../alpha_beta.fpcore
void f(double x, double v, double z, double *out) {
    x += 0.05 * v;
    double r = z - x;
    out[0] = x + 0.4 * r;
    out[1] = v + 2 * r;
}
