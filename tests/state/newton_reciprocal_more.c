// class: iteration count
// fault: a step more than asked for, which is another number by up to 1.4e-10
// spec: newton_reciprocal.fpcore
double f(double d) {
    double x = 48.0 / 17 - 32.0 / 17 * d;
    for (int i = 0; i < 4; i++) x = x + x * (1 - d * x);
    return x;
}
