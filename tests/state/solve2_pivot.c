// class: no pivot
// fault: divides by the first element, however small it is
// spec: solve2.fpcore
void f(const double *in, double *out) {
    double l = in[2] / in[0];
    double u = in[3] - l * in[1];
    double y = (in[5] - l * in[4]) / u;
    out[1] = y;
    out[0] = (in[4] - in[1] * y) / in[0];
}
