// right: the specification holds for it
// spec: ../rate_limiter.fpcore
double f(double y, double u) {
    if (u < 0) u = 0;
    if (u > 100) u = 100;
    double step = u - y;
    if (step > 0.5) step = 0.5;
    if (step < -0.2) step = -0.2;
    return y + step;
}
