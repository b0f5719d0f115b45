// right: the specification holds for it
// spec: ../wrap.fpcore
#include <math.h>

double f(double a)
{
    double r = a - 360 * floor((a + 180) / 360);
    // Just below an edge the sum is rounded up to it.
    return r < -180 ? r + 360 : r;
}
