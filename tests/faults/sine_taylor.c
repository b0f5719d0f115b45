// class: polynomial cut short
// fault: the term of x^13 is missing
// spec: sine.fpcore
#include <math.h>

double f(double x) {
    double y = remainder(x, 6.28318530717958647693) - round(x / 6.28318530717958647693) * 2.4492935982947064e-16;
    if (y > 1.57079632679489661923) y = 3.14159265358979323846 - y;
    if (y < -1.57079632679489661923) y = -3.14159265358979323846 - y;
    double s = y * y;
    return y * (1 + s * (-1.0 / 6 + s * (1.0 / 120 + s * (-1.0 / 5040 + s * (1.0 / 362880 + s * (-1.0 / 39916800))))));
}
