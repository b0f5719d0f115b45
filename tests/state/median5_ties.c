// class: special case
// fault: looks for the sensor with two below and two above; where some are equal there may be none, and the last is taken
// spec: median5.fpcore
double f(double a, double b, double c, double d, double e) {
    const double v[5] = {a, b, c, d, e};
    for (int i = 0; i < 5; i++) {
        int below = 0, above = 0;
        for (int j = 0; j < 5; j++) {
            below += v[j] < v[i];
            above += v[j] > v[i];
        }
        if (below == 2 && above == 2) return v[i];
    }
    return v[4];
}
