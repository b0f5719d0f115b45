// right: the specification holds for it
// spec: ../newton_sqrt.fpcore
double f(double a) {
    double x = (1 + a) / 2;
    for (int i = 0; i < 4; i++) x = 0.5 * (x + a / x);
    return x;
}
