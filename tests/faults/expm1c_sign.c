// class: special case
// fault: the limit is taken on one side of 0 only, and -0 is on the other
// spec: expm1c.fpcore
#include <math.h>

double f(double x) {
    if (signbit(x)) return -expm1(x) / -x;
    return x < 1e-300 ? 1 : expm1(x) / x;
}
