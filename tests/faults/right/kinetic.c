// right: the specification holds for it
// spec: ../kinetic.fpcore
#include <math.h>

double f(double m, double v) {
    double b = v / 299792458, s = sqrt((1 - b) * (1 + b));
    return m * v * v / (s * (1 + s));
}
