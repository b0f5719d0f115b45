// right: the specification holds for it
// spec: ../levinson2.fpcore
void f(double r0, double r1, double r2, double *out) {
    const double r[3] = {r0, r1, r2};
    double a[3] = {0, 0, 0}, e = r0;
    for (int m = 1; m <= 2; m++) {
        double k = r[m];
        for (int j = 1; j < m; j++) k -= a[j] * r[m - j];
        k /= e;
        double t = a[1];
        a[m] = k;
        if (m == 2) a[1] = t - k * t;
        e *= (1 - k) * (1 + k);
    }
    out[0] = a[1];
    out[1] = a[2];
    out[2] = e;
}
