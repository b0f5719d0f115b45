// class: truncated constant
// fault: 3e8 for the speed of light
// spec: kinetic.fpcore
#include <math.h>

double f(double m, double v) {
    double b = v / 3e8, s = sqrt((1 - b) * (1 + b));
    return m * v * v / (s * (1 + s));
}
