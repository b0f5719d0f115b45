/* Special cases in front of formulas: a scaled length, roots of a quadratic, whole powers, a table between points. */
#include <math.h>

double length(double x, double y)
{
    x = fabs(x);
    y = fabs(y);
    if (x < y) {
        double t = x;
        x = y;
        y = t;
    }
    if (x - x != 0)
        return x;
    if (y == 0)
        return x;
    if (x > 0x1p511)
        return 0x1p512 * sqrt((x * 0x1p-512) * (x * 0x1p-512) + (y * 0x1p-512) * (y * 0x1p-512));
    if (y < 0x1p-500)
        return x > 0x1p60 * y ? x : 0x1p-600 * sqrt((x * 0x1p600) * (x * 0x1p600) + (y * 0x1p600) * (y * 0x1p600));
    return sqrt(x * x + y * y);
}

int roots(double a, double b, double c)
{
    if (a == 0) {
        if (b == 0)
            return c == 0 ? -1 : 0;
        return 1;
    }
    double d = b * b - 4 * a * c;
    if (d != d || d == INFINITY)
        return -2;
    if (d == 0)
        return 1;
    return d > 0 ? 2 : 0;
}

double whole_power(double x, int n)
{
    if (n == 0)
        return 1;
    if (x == 0)
        return n < 0 ? 1 / x : x;
    double r = 1;
    unsigned k = n < 0 ? 0u - (unsigned)n : (unsigned)n;
    while (k) {
        if (k & 1)
            r *= x;
        x *= x;
        k >>= 1;
        if (x == 0 || x - x != 0)
            break;
    }
    return n < 0 ? 1 / r : r;
}

double interpolated(double x)
{
    static const double at[6] = {-10, -1, 0, 0.25, 4, 1000}, value[6] = {0, 3, 2, 2, 7, 7.5};
    if (x != x || x < at[0] || x > at[5])
        return -1;
    int lo = 0, hi = 5;
    while (hi - lo > 1) {
        int m = (lo + hi) / 2;
        if (at[m] <= x)
            lo = m;
        else
            hi = m;
    }
    if (x == at[lo])
        return value[lo];
    if (value[lo] == value[hi])
        return value[lo];
    return value[lo] + (x - at[lo]) * (value[hi] - value[lo]) / (at[hi] - at[lo]);
}
