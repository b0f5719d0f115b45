// right: the specification holds for it
// spec: ../thermal2.fpcore
void f(double tc, double ts, double p, double ta, double *out) {
    for (int i = 0; i < 6; i++) {
        double q = 1.5 * (tc - ts);
        tc += (p - q) / 15;
        ts += (q - 0.8 * (ts - ta)) / 120;
    }
    out[0] = tc;
    out[1] = ts;
}
