// class: order of updates
// fault: the acceleration is that of the new deflection
// spec: euler_oscillator.fpcore
void f(double x, double v, double *x_end, double *v_end) {
    const double h = 0.09;
    for (int i = 0; i < 6; i++) {
        x += h * v;
        v += h * (-9 * x - 0.4 * v);
    }
    *x_end = x;
    *v_end = v;
}
