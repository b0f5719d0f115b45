// class: premature rounding
// fault: the number of payments is cut to an integer
// spec: annuity.fpcore
#include <math.h>

double f(double r, double n) {
    int k = (int)n;
    return r == 0 ? k : expm1(k * log1p(r)) / r;
}
