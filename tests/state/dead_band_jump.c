// class: forgotten step
// fault: the width is not subtracted beyond the dead band
// spec: dead_band.fpcore
#include <math.h>

double f(double e) {
    if (fabs(e) <= 1.5) return 0;
    return fmax(-100, fmin(100, 4 * e));
}
