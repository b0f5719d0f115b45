/* A length that is wrong for large numbers: "the smaller one does not matter there". It does where both are large. */
#include <math.h>

double my_hypot(double x, double y)
{
    double a = fabs(x), b = fabs(y);
    if (a < b) {
        double t = a;
        a = b;
        b = t;
    }
    if (a > 1e160)
        return a;
    if (a == 0)
        return 0;
    if (a > 0x1p500 || a < 0x1p-400) {
        double s = a > 1 ? 0x1p-560 : 0x1p560;
        return sqrt(a * s * (a * s) + b * s * (b * s)) / s;
    }
    return sqrt(a * a + b * b);
}
