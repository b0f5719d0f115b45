// class: iteration count
// fault: the loop ends a step early
// spec: heun_logistic.fpcore
static double slope(double r, double y) { return r * y * (1 - y); }

double f(double p, double r) {
    const double h = 0.25;
    for (int i = 1; i < 8; i++) {
        double k1 = slope(r, p), k2 = slope(r, p + h * k1);
        p += h / 2 * (k1 + k2);
    }
    return p;
}
