// class: premature rounding
// fault: what a float holds to half a unit, from 2^22 to 2^23, goes through a float
// spec: symlog.fpcore
#include <math.h>

double f(double x) {
    double a = fabs(x);
    if (4194304 <= a && a < 8388608) a = (float)a;
    return copysign(log1p(a), x);
}
