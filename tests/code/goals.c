/* Operations that can go wrong, and some that cannot. */
#include <assert.h>
#include <math.h>

int step(double x, unsigned n)
{
    if (x < 3.5)
        return 1;
    return n > 7 ? 2 : 3;
}

double safe(double x)
{
    if (!(x > 0 && x < 100))
        return 0;
    return sqrt(x) / (x + 1) * 3;
}

double risky(double x, double y)
{
    if (x > 1000)
        return x * y - x;
    return x / (y - 2);
}

int share(int total, int parts)
{
    assert(parts != 12345);
    if (total < 0)
        return 0;
    assert(total >= 0);
    return total / (parts - 7);
}

double pressure(double t, double c)
{
    if (c <= 0)
        return 0;
    return exp(t) * log(c);
}

int whole(double x)
{
    if (x > -1e9 && x < 1e9)
        return (int)x;
    return x > 0 ? (int)(x / 2) : 0;
}

int ratio(int a, int b)
{
    if (b == 0)
        return 0;
    return a / b;
}

double diagonal(double x, double y)
{
    return sqrt(x * x + y * y);
}
