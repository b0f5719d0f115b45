// class: wrong coefficient
// fault: a tap lacks its sign
// spec: fir.fpcore
static const double H[6] = {0.42, 0.31, -0.12, 0.08, 0.05, 0.02};

double f(const double *x) {
    double s = 0;
    for (int i = 0; i < 6; i++) s += H[i] * x[i];
    return s;
}
