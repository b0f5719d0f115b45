// class: overflow
// fault: exp(x) overflows before it is halved
// spec: sinh.fpcore
#include <math.h>

double f(double x) {
    double e = expm1(fabs(x));
    double y = fabs(x) > 40 ? exp(fabs(x)) / 2 : (e + e / (e + 1)) / 2;
    return copysign(y, x);
}
