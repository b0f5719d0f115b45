// class: stale state
// fault: each low-pass takes the old output of the one before
// spec: lowpass_cascade.fpcore
void f(double x, double a, double b, double c, double out[3]) {
    const double k = 0.15;
    out[2] = c + k * (b - c);
    out[1] = b + k * (a - b);
    out[0] = a + k * (x - a);
}
