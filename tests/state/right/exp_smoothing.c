// right: the specification holds for it
// spec: ../exp_smoothing.fpcore
double f(const double *x) {
    double a = x[6], s = x[0];
    for (int i = 1; i < 6; i++) s = (1 - a) * s + a * x[i];
    return s;
}
