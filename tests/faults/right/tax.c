// right: the specification holds for it
// spec: ../tax.fpcore
#include <math.h>

double f(double x) {
    if (x <= 10000) return 0;
    if (x <= 40000) return 0.2 * (x - 10000);
    if (x <= 120000) return 6000 + 0.4 * (x - 40000);
    return 38000 + 0.45 * (x - 120000);
}
