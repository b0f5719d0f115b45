// class: integer division
// fault: the share of the sink is 15 by 120 of integers, so that the sink stays as warm as it is
// spec: thermal2.fpcore
void f(double tc, double ts, double p, double ta, double *out) {
    for (int i = 0; i < 6; i++) {
        double q = 1.5 * (tc - ts);
        tc += (p - q) / 15;
        ts += 15 / 120 * (q - 0.8 * (ts - ta)) / 15;
    }
    out[0] = tc;
    out[1] = ts;
}
