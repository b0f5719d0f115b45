// class: order of updates
// fault: the heat into the sink is that of the new temperature of the chip
// spec: thermal2.fpcore
void f(double tc, double ts, double p, double ta, double *out) {
    for (int i = 0; i < 6; i++) {
        tc += (p - 1.5 * (tc - ts)) / 15;
        ts += (1.5 * (tc - ts) - 0.8 * (ts - ta)) / 120;
    }
    out[0] = tc;
    out[1] = ts;
}
