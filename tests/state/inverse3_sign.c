// class: wrong sign
// fault: the middle cofactor of the first row has no sign of its own in the determinant
// spec: inverse3.fpcore
void f(const double *in, double *out) {
    const double (*a)[3] = (const double (*)[3])in;
    double c[3][3], d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            c[i][j] = a[p][r] * a[q][s] - a[p][s] * a[q][r];
        }
    d = a[0][0] * c[0][0] - a[0][1] * c[0][1] + a[0][2] * c[0][2];
    out[0] = d;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[1 + 3 * i + j] = c[j][i] / d;
}
