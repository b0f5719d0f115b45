// class: swapped indices
// fault: takes the matrix for one stored column by column
// spec: matvec3.fpcore
void f(const double *in, double *out) {
    const double *v = in + 9;
    for (int i = 0; i < 3; i++) out[i] = in[i] * v[0] + in[3 + i] * v[1] + in[6 + i] * v[2];
}
