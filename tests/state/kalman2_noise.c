// class: forgotten step
// fault: the noise of the acceleration is added on the diagonal only
// spec: kalman2.fpcore
void f(double x, double v, double p00, double p01, double p11, double z, double *out) {
    const double dt = 0.1, q = 0.04, r = 0.25;
    x += dt * v;
    p00 += dt * (2 * p01 + dt * p11) + q * dt * dt * dt * dt / 4;
    p01 += dt * p11;
    p11 += q * dt * dt;
    double s = p00 + r, k0 = p00 / s, k1 = p01 / s, e = z - x;
    out[0] = x + k0 * e;
    out[1] = v + k1 * e;
    out[2] = r * k0;
    out[3] = r * k1;
    out[4] = p11 - k1 * p01;
}
