// right: the specification holds for it
// spec: ../moving_average.fpcore
double f(const double *x) {
    double s = 0;
    for (int i = 0; i < 8; i++) s += x[i];
    return s / 8;
}
