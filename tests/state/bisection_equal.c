// class: comparison
// fault: keeps the upper half where c is the value at the middle exactly
// spec: bisection.fpcore
double f(double c) {
    double lo = 0, hi = 2;
    for (int k = 0; k < 10; k++) {
        double m = (lo + hi) / 2;
        if (m * m * m + m <= c) lo = m;
        else hi = m;
    }
    return (lo + hi) / 2;
}
