// class: copy and paste
// fault: the two weights are swapped
// spec: exp_smoothing.fpcore
double f(const double *x) {
    double a = x[6], s = x[0];
    for (int i = 1; i < 6; i++) s = a * s + (1 - a) * x[i];
    return s;
}
