// right: the specification holds for it
// spec: ../euler_oscillator.fpcore
void f(double x, double v, double *x_end, double *v_end) {
    const double h = 0.09;
    for (int i = 0; i < 6; i++) {
        double a = -9 * x - 0.4 * v;
        x += h * v;
        v += h * a;
    }
    *x_end = x;
    *v_end = v;
}
