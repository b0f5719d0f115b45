// right: the specification holds for it
// spec: ../hermite.fpcore
double f(double y0, double y1, double m0, double m1, double t) {
    double u = t / 2, d = y1 - y0, a = 2 * m0 - d, b = d - 2 * m1;
    return (1 - u) * y0 + u * y1 + u * (1 - u) * ((1 - u) * a + u * b);
}
