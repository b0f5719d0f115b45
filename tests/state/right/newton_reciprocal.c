// right: the specification holds for it
// spec: ../newton_reciprocal.fpcore
double f(double d) {
    double x = 48.0 / 17 - 32.0 / 17 * d;
    for (int i = 0; i < 3; i++) x = x + x * (1 - d * x);
    return x;
}
