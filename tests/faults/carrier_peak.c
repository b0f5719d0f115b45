// class: threshold
// fault: within one part in 1,000 of the peak its value is returned
// spec: carrier.fpcore
#include <math.h>

double f(double nu) {
    double d = (nu - 440) / 5;
    return fabs(nu - 440) < 0.44 ? 1 : 1 / (1 + d * d);
}
