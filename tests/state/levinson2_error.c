// class: stale state
// fault: the second coefficient is divided by the error before the first step
// spec: levinson2.fpcore
void f(double r0, double r1, double r2, double *out) {
    double k1 = r1 / r0, e = r0;
    double k2 = (r2 - k1 * r1) / e;
    e *= 1 - k1 * k1;
    out[0] = k1 - k2 * k1;
    out[1] = k2;
    out[2] = e * (1 - k2 * k2);
}
