// right: the specification holds for it
// spec: ../imbalance.fpcore
double f(double p, double d) { return d < 0 ? 8 - p * d : 20 + 0.5 * p * d; }
