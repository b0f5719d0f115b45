// class: initial value
// fault: the upper end is 1.75, so that the greatest depths are never found
// spec: bisection.fpcore
double f(double c) {
    double lo = 0, hi = 1.75;
    for (int k = 0; k < 10; k++) {
        double m = (lo + hi) / 2;
        if (m * m * m + m < c) lo = m;
        else hi = m;
    }
    return (lo + hi) / 2;
}
