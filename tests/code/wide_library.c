/* The library's functions of `long double`. */
#include <errno.h>
#include <math.h>

int near_pole(double x)
{
    long double y = tanl((long double)x);
    if (y > 1e6L)
        return 1;
    if (powl(x, 3.0L) < -8.0L && fmal(x, x, -9.0L) == 0.0L)
        return 2;
    return lrintl(expl(x)) == 20 && ilogbl(x) == 1 ? 3 : 0;
}

int has_logarithm(double x)
{
    errno = 0;
    long double y = logl((long double)x);
    if (errno)
        return -1;
    return y > 2.0L;
}
