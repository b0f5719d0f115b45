// class: abs for fabs
// fault: abs takes the integer part
// spec: atanh.fpcore
#include <math.h>
#include <stdlib.h>

double f(double x) {
    double a = abs(x) > 0 ? fabs(x) : x;
    if (abs(x) < 0.25)
        return x * (1 + a * a / 3);
    return 0.5 * log1p(2 * x / (1 - x));
}
