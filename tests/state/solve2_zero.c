// class: no pivot
// fault: swaps the rows only where the first element is exactly 0
// spec: solve2.fpcore
void f(const double *in, double *out) {
    int p = in[0] == 0 ? 1 : 0, q = 1 - p;
    const double *a = in, *b = in + 4;
    double l = a[2 * q] / a[2 * p];
    double u = a[2 * q + 1] - l * a[2 * p + 1];
    double y = (b[q] - l * b[p]) / u;
    out[1] = y;
    out[0] = (b[p] - a[2 * p + 1] * y) / a[2 * p];
}
