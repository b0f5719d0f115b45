// class: overflow
// fault: x * x overflows
// spec: asinh.fpcore
#include <math.h>

double f(double x) {
    double a = fabs(x);
    return copysign(log1p(a + a * a / (1 + sqrt(a * a + 1))), x);
}
