// right: the specification holds for it
// spec: ../lowpass_cascade.fpcore
void f(double x, double a, double b, double c, double out[3]) {
    const double k = 0.15;
    const double s[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        x = (1 - k) * s[i] + k * x;
        out[i] = x;
    }
}
