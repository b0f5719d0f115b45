// right: the specification holds for it
// spec: ../horner.fpcore
#include <math.h>

double f(double x) {
    double sum = 1;
    for (int k = 14; k > 0; k--)
        sum = 1 + x * sum / k;
    return sum;
}
