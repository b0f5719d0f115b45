// class: threshold
// fault: the linear solution is used where the quadratic term still counts
// spec: quadratic.fpcore
#include <math.h>

double f(double a, double b, double c) {
    if (4 * a * c < 1e-4 * b * b)
        return -c / b;
    return -2 * c / (b + sqrt(b * b - 4 * a * c));
}
