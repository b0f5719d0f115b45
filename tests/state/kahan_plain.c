// class: forgotten step
// fault: there is no compensation
// spec: kahan.fpcore
double f(const double *in) {
    volatile double s = in[0];
    for (int i = 1; i <= 12; i++) {
        volatile double y = in[i], t = s + y;
        s = t;
    }
    return s;
}
