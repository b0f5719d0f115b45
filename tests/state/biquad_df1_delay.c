// class: swapped indices
// fault: the two outputs before are taken for each other
// spec: biquad_df1.fpcore
double f(double x, double x1, double x2, double y1, double y2) {
    const double y[2] = {y2, y1};
    return 0.0675 * x + 0.1349 * x1 + 0.0675 * x2 + 1.143 * y[0] - 0.4128 * y[1];
}
