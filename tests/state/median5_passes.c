// class: iteration count
// fault: two passes of bubble sort, after which the third place is not settled
// spec: median5.fpcore
double f(double a, double b, double c, double d, double e) {
    double v[5] = {a, b, c, d, e};
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i + 1 < 5; i++)
            if (v[i] > v[i + 1]) {
                double t = v[i];
                v[i] = v[i + 1];
                v[i + 1] = t;
            }
    return v[2];
}
