// class: cancellation
// fault: sum of squares less square of the sum
// spec: variance.fpcore
#include <math.h>

double f(double a, double b, double c) {
    double s = a + b + c, q = a * a + b * b + c * c;
    return (q - s * s / 3) / 2;
}
