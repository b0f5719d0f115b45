// class: iteration count
// fault: four terms too few
// spec: horner.fpcore
#include <math.h>

double f(double x) {
    double sum = 1;
    for (int k = 10; k > 0; k--)
        sum = 1 + x * sum / k;
    return sum;
}
