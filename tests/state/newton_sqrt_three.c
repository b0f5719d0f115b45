// class: iteration count
// fault: one step too few, which leaves 5e-8 at 4 and nothing near 1
// spec: newton_sqrt.fpcore
double f(double a) {
    double x = (1 + a) / 2;
    for (int i = 0; i < 3; i++) x = 0.5 * (x + a / x);
    return x;
}
