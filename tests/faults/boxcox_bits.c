// class: special case
// fault: the exponent 0 is known by its bits, and -0 has others
// spec: boxcox.fpcore
#include <math.h>
#include <string.h>

double f(double x, double l) {
    static const double none = 0;
    return memcmp(&l, &none, sizeof l) == 0 ? log(x) : expm1(l * log(x)) / l;
}
