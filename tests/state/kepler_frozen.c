// class: stale state
// fault: the derivative is that at the start in every step
// spec: kepler.fpcore
#include <math.h>

double f(double M, double e) {
    double x = M, d = 1 - e * cos(M);
    for (int i = 0; i < 5; i++) x -= (x - e * sin(x) - M) / d;
    return x;
}
