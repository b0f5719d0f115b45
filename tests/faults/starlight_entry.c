// class: table entry
// fault: two digits of the logarithm of 2^7 are swapped, which serves fluxes from 128 to 256
// spec: starlight.fpcore
#include <math.h>

static const double binade[10] = {0, 0.3010299956639812, 0.6020599913279624, 0.9030899869919435, 1.2041199826559248,
    1.505149978319906, 1.8061799739838871, 2.1072096996478683, 2.4082399653118496, 2.709269960975831};

double f(double s) {
    int e;
    double m = 2 * frexp(s, &e);
    e -= 1;
    double log10s = 0 <= e && e < 10 ? binade[e] + log10(m) : log10(s);
    return -2.5 * (log10s - log10(3631));
}
