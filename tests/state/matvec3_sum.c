// class: initial value
// fault: the sum goes on from row to row
// spec: matvec3.fpcore
void f(const double *in, double *out) {
    const double *v = in + 9;
    double s = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) s += in[3 * i + j] * v[j];
        out[i] = s;
    }
}
