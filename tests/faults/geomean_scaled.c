// class: overflow
// fault: scaled where the product overflows, not where it underflows
// spec: geomean.fpcore
#include <math.h>

double f(double a, double b) {
    if (a > 1e150 || b > 1e150)
        return sqrt(a) * sqrt(b);
    return sqrt(a * b);
}
