// class: cancellation
// fault: gamma - 1 for a slow body
// spec: kinetic.fpcore
#include <math.h>

double f(double m, double v) {
    const double c = 299792458;
    return m * c * c * (1 / sqrt(1 - v * v / (c * c)) - 1);
}
