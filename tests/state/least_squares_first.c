// class: off by one
// fault: the first sample has the time of the second, which moves the line but does not turn it
// spec: least_squares.fpcore
void f(const double *y, double *out) {
    double s = 0, t = 0, tt = 0, ty = 0;
    for (int i = 0; i < 6; i++) {
        double x = 0.5 * (i + 1);
        s += y[i];
        t += x;
        tt += x * x;
        ty += x * y[i];
    }
    out[0] = (6 * ty - t * s) / (6 * tt - t * t);
    out[1] = (s - out[0] * t) / 6;
}
