// right: the specification holds for it
// spec: ../fir.fpcore
static const double H[6] = {0.42, 0.31, -0.12, -0.08, 0.05, 0.02};

double f(const double *x) {
    double s = 0;
    for (int i = 5; i >= 0; i--) s += H[i] * x[i];
    return s;
}
