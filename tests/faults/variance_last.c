// class: iteration count
// fault: the last sample is left out of the sum of squares
// spec: variance.fpcore
#include <math.h>

double f(double a, double b, double c) {
    double x[3] = {a, b, c}, m = (a + b + c) / 3, q = 0;
    for (int i = 0; i < 2; i++)
        q += (x[i] - m) * (x[i] - m);
    return q / 2;
}
