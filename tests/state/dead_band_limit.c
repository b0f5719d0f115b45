// class: saturation
// fault: the limit is 25 degrees of the lever, where it is 25 degrees beyond the dead band
// spec: dead_band.fpcore
#include <math.h>

double f(double e) {
    e = fmax(-25, fmin(25, e));
    double past = fabs(e) - 1.5;
    return past <= 0 ? 0 : copysign(4 * past, e);
}
