// right: the specification holds for it
// spec: ../simpson.fpcore
double f(const double *in) {
    double s = in[0] + in[6];
    for (int i = 1; i < 6; i++) s += (i % 2 ? 4 : 2) * in[i];
    return s * in[7] / 3;
}
