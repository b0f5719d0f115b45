// class: wrong sign
// fault: the loss is taken from the current that discharges
// spec: battery.fpcore
void f(double soc, double i, double *out) {
    double s = soc - (i > 0 ? 0.98 : 1.0) * i / (40 * 3600.0);
    if (s < 0) s = 0;
    if (s > 1) s = 1;
    out[0] = s;
    out[1] = 3.2 + s * (0.9 - s * (0.5 - s * 0.4)) - 0.0015 * i;
}
