// right: the difference is exact from 0.5 to 1, and beyond it the rest of the product decides
// spec: ../postage.fpcore
#include <math.h>

double f(double w) {
    double n = ceil(5 * w - 2.5);
    // n is whole and small, so that n + 2.5 is exact: the least n with 5 w <= n + 2.5 is wanted.
    if (fma(5, w, -(n + 2.5)) > 0) n += 1;
    if (fma(5, w, -(n + 1.5)) <= 0) n -= 1;
    return 1.6 + 0.45 * n;
}
