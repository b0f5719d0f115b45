// class: special case
// fault: the sign of a large negative argument is lost
// spec: sinh.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) > 22)
        return exp(fabs(x) - 0.69314718055994530942);
    double e = expm1(x);
    return (e + e / (e + 1)) / 2;
}
