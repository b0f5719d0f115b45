// right: the specification holds for it
// spec: ../rk4_duffing.fpcore
static double acc(double x) { return -4 * x - 1.5 * x * x * x; }

void f(double x, double v, double *x_end, double *v_end) {
    const double h = 0.1;
    for (int i = 0; i < 2; i++) {
        double v1 = v, a1 = acc(x);
        double v2 = v + h / 2 * a1, a2 = acc(x + h / 2 * v1);
        double v3 = v + h / 2 * a2, a3 = acc(x + h / 2 * v2);
        double v4 = v + h * a3, a4 = acc(x + h * v3);
        x += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    *x_end = x;
    *v_end = v;
}
