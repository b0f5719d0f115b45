// class: iteration count
// fault: divided by n instead of n - 1
// spec: variance.fpcore
#include <math.h>

double f(double a, double b, double c) {
    double x[3] = {a, b, c}, m = (a + b + c) / 3, q = 0;
    for (int i = 0; i < 3; i++)
        q += (x[i] - m) * (x[i] - m);
    return q / 3;
}
