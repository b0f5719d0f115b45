// right: the specification holds for it
// spec: ../median5.fpcore
double f(double a, double b, double c, double d, double e) {
    double v[5] = {a, b, c, d, e};
    for (int i = 1; i < 5; i++) {
        double x = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] > x; j--) v[j] = v[j - 1];
        v[j] = x;
    }
    return v[2];
}
