// right: the specification holds for it
// spec: ../horner.fpcore
double f(const double *in) {
    double x = in[5], s = 0;
    for (int i = 4; i >= 0; i--) s = s * x + in[i];
    return s;
}
