// right: the specification holds for it
// spec: ../matvec3.fpcore
void f(const double *in, double *out) {
    const double *v = in + 9;
    for (int i = 0; i < 3; i++) out[i] = in[3 * i] * v[0] + in[3 * i + 1] * v[1] + in[3 * i + 2] * v[2];
}
