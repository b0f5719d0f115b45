// right: the specification holds for it
// spec: ../inverse3.fpcore
void f(const double *in, double *out) {
    const double (*a)[3] = (const double (*)[3])in;
    double c[3][3], d = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            c[i][j] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
    for (int j = 0; j < 3; j++) d += a[0][j] * c[0][j];
    out[0] = d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[1 + 3 * i + j] = c[j][i] / d;
}
