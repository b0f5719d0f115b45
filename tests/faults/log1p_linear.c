// class: threshold
// fault: x is taken for log1p(x) below 1e-4 instead of below 1e-16
// spec: log1p.fpcore
#include <math.h>

double f(double x) {
    if (fabs(x) < 1e-4)
        return x;
    return log1p(x);
}
