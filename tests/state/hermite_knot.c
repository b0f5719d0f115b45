// class: boundary
// fault: finds the interval by cutting off t / 2, so that the end of this one is the beginning of the next
// spec: hermite.fpcore
double f(double y0, double y1, double m0, double m1, double t) {
    int k = (int)(t / 2);
    double u = t / 2 - k, d = y1 - y0, a = 2 * m0 - d, b = d - 2 * m1;
    return (1 - u) * y0 + u * y1 + u * (1 - u) * ((1 - u) * a + u * b);
}
