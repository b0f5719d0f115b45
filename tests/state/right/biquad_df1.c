// right: the specification holds for it
// spec: ../biquad_df1.fpcore
static const double B[3] = {0.0675, 0.1349, 0.0675}, A[3] = {1, -1.143, 0.4128};

double f(double x, double x1, double x2, double y1, double y2) {
    return B[0] * x + B[1] * x1 + B[2] * x2 - A[1] * y1 - A[2] * y2;
}
