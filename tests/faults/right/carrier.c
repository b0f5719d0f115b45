// right: the specification holds for it
// spec: ../carrier.fpcore
double f(double nu) {
    double d = (nu - 440) / 5;
    return 1 / (1 + d * d);
}
