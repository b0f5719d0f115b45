// class: swapped indices
// fault: takes the coefficients from the lowest to the highest
// spec: horner.fpcore
double f(const double *in) {
    double x = in[5], s = 0;
    for (int i = 0; i < 5; i++) s = s * x + in[i];
    return s;
}
