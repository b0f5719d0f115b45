/* Range reductions: an angle to a quadrant, degrees to a turn, an exponent to its whole and its fraction. */
#include <math.h>

double sine(double x)
{
    double a = fabs(x);
    if (!(a < 1e300))
        return x - x;
    if (a > 823549.6)
        return fmod(x, 6.283185307179586);
    int n = (int)(a * 0.6366197723675814 + 0.5);
    double r = (a - n * 1.5707963267341256) - n * 6.077100506506192e-11;
    double s = x < 0 ? -1 : 1;
    switch (n & 3) {
    case 0: return s * r * (1 - r * r / 6);
    case 1: return s * (1 - r * r / 2);
    case 2: return -s * r * (1 - r * r / 6);
    default: return -s * (1 - r * r / 2);
    }
}

double degrees(double d)
{
    if (d != d || d - d != 0)
        return -1;
    double r = fmod(d, 360);
    if (r < 0)
        r += 360;
    if (r == 360)
        r = 0;
    if (r == 90 || r == 270)
        return 1;
    return r > 180 ? r - 360 : r;
}

double power_of_two(double x)
{
    if (x != x)
        return x;
    if (x >= 1024)
        return INFINITY;
    if (x < -1075)
        return 0;
    int n = (int)(x < 0 ? x - 0.5 : x + 0.5);
    double f = x - n;
    double y = 1 + f * (0.6931471805599453 + f * 0.2402265069591007);
    if (n < -1021) {
        y = ldexp(y, n + 54);
        return y * 0x1p-54;
    }
    if (f == 0)
        return ldexp(1, n);
    return ldexp(y, n);
}
