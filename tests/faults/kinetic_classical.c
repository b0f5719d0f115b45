// class: threshold
// fault: m v^2 / 2 up to a hundredth of the speed of light
// spec: kinetic.fpcore
#include <math.h>

double f(double m, double v) {
    if (v < 2997924.58)
        return 0.5 * m * v * v;
    double b = v / 299792458, s = sqrt((1 - b) * (1 + b));
    return m * v * v / (s * (1 + s));
}
