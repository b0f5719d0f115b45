/* Functions that set the rounding mode. */
#include <fenv.h>
#include <float.h>
#include <math.h>

/* The quotient rounded up and down differs where it is no float. */
int is_inexact_quotient(double x, double y)
{
    volatile double up, down, a = x, b = y;
    int old = fegetround();
    if (fesetround(FE_UPWARD))
        return -1;
    up = a / b;
    fesetround(FE_DOWNWARD);
    down = a / b;
    fesetround(old);
    if (up != down)
        return 1;
    return fegetround() == FE_TONEAREST ? 0 : 2;
}

/* The library follows the mode, and there is no mode 12345. */
int follows_mode(float x)
{
    volatile float a = x, up, down;
    if (!fesetround(12345))
        return 3;
    fesetround(FE_TOWARDZERO);
    down = a * 3.0f;
    fesetround(FE_UPWARD);
    up = a * 3.0f;
    if (fegetround() != FE_UPWARD)
        return 4;
    fesetround(FE_TONEAREST);
    return down < up ? 1 : down > up ? 2 : 0;
}

/* A function of the library that takes the mode. */
double whole_upward(double x)
{
    volatile double a = x, y;
    fesetround(FE_UPWARD);
    y = rint(a);
    fesetround(FE_TONEAREST);
    if (y > a)
        return 1;
    return y;
}

/* The mode that a call leaves is nobody else's. */
double leaves_mode(double x)
{
    volatile double third = 1.0;
    if (x > 100)
        fesetround(FE_UPWARD);
    third /= 3.0;
    if (third * 3.0 > 1.0 && x < 100)
        return 1;
    return third;
}

void set_upward(void) { fesetround(FE_UPWARD); }

int asks_for_mode(double x)
{
    if (FLT_ROUNDS != 1)
        return 2;
    return x > 3;
}
