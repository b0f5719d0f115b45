// class: special case
// fault: ends after the first step where the first coefficient is 0, with 0 for the second
// spec: levinson2.fpcore
void f(double r0, double r1, double r2, double *out) {
    double k1 = r1 / r0, e = r0 * (1 - k1 * k1), k2 = 0;
    if (k1 != 0) k2 = (r2 - k1 * r1) / e;
    out[0] = k1 - k2 * k1;
    out[1] = k2;
    out[2] = e * (1 - k2 * k2);
}
