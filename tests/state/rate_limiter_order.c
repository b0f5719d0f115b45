// class: saturation
// fault: the position wanted is limited below only, so that the valve is sent beyond 100 percent
// spec: rate_limiter.fpcore
double f(double y, double u) {
    if (u < 0) u = 0;
    double step = u - y;
    if (step > 0.5) step = 0.5;
    if (step < -0.2) step = -0.2;
    return y + step;
}
