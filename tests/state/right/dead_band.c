// right: the specification holds for it
// spec: ../dead_band.fpcore
#include <math.h>

double f(double e) {
    double past = fabs(e) - 1.5;
    if (past <= 0) return 0;
    return copysign(past > 25 ? 100 : 4 * past, e);
}
