/* Functions that ask for the flags of floating-point arithmetic. */
#include <fenv.h>
#include <math.h>

int raised(double x, double y)
{
    volatile double sum, quotient;
    feclearexcept(FE_ALL_EXCEPT);
    sum = x + 3;
    if (fetestexcept(FE_INEXACT))
        return 1;
    feclearexcept(FE_ALL_EXCEPT);
    quotient = x / y;
    if (fetestexcept(FE_DIVBYZERO))
        return 2;
    if (fetestexcept(FE_INVALID))
        return 3;
    if (fetestexcept(FE_UNDERFLOW))
        return 4;
    if (fetestexcept(FE_OVERFLOW))
        return 5;
    return quotient == 0.5 ? 6 : sum == 7;
}

double of_library(double x)
{
    double y;
    feclearexcept(FE_ALL_EXCEPT);
    y = exp(x);
    if (fetestexcept(FE_OVERFLOW))
        return -1;
    if (fetestexcept(FE_UNDERFLOW))
        return -2;
    if (!fetestexcept(FE_INEXACT))
        return -3;
    feraiseexcept(FE_INVALID);
    return y + fetestexcept(FE_INVALID);
}

int converted(double x)
{
    volatile long n;
    if (!(fabs(x) < 1e18))
        return 0;
    feclearexcept(FE_ALL_EXCEPT);
    n = (long)x;
    if (fetestexcept(FE_INEXACT))
        return 1;
    return n == 5 ? 2 : 3;
}

/* Whether `>` raises a flag for a NaN is up to the compiler. */
int compared(double x)
{
    volatile int is_more;
    feclearexcept(FE_ALL_EXCEPT);
    is_more = x > 3;
    if (fetestexcept(FE_INVALID))
        return 7;
    return is_more;
}
