// class: iteration count
// fault: counts by adding 0.09 as long as the sum is below 0.54, which makes 7 steps in binary64
// spec: euler_oscillator.fpcore
void f(double x, double v, double *x_end, double *v_end) {
    const double h = 0.09;
    for (double t = 0; t < 0.54; t += h) {
        double a = -9 * x - 0.4 * v;
        x += h * v;
        v += h * a;
    }
    *x_end = x;
    *v_end = v;
}
