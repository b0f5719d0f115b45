// class: integer division
// fault: 1 / 2 is 0 for a slow body
// spec: kinetic.fpcore
#include <math.h>

double f(double m, double v) {
    if (v < 1000)
        return m * v * v * (1 / 2);
    double b = v / 299792458, s = sqrt((1 - b) * (1 + b));
    return m * v * v / (s * (1 + s));
}
