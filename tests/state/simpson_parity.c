// class: swapped indices
// fault: the weights 4 and 2 are swapped
// spec: simpson.fpcore
double f(const double *in) {
    double s = in[0] + in[6];
    for (int i = 1; i < 6; i++) s += (i % 2 ? 2 : 4) * in[i];
    return s * in[7] / 3;
}
