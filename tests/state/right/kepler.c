// right: the specification holds for it
// spec: ../kepler.fpcore
#include <math.h>

double f(double M, double e) {
    double x = M;
    for (int i = 0; i < 5; i++) x -= (x - e * sin(x) - M) / (1 - e * cos(x));
    return x;
}
