// class: initial value
// fault: the mean begins at 0
// spec: exp_smoothing.fpcore
double f(const double *x) {
    double a = x[6], s = 0;
    for (int i = 0; i < 6; i++) s = (1 - a) * s + a * x[i];
    return s;
}
