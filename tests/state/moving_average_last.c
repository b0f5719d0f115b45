// class: off by one
// fault: the last sample is left out, and the sum is divided by 8 all the same
// spec: moving_average.fpcore
double f(const double *x) {
    double s = 0;
    for (int i = 0; i < 7; i++) s += x[i];
    return s / 8;
}
