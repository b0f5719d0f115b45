/* A ladder of special cases in front of a formula, by the bits of the argument; one branch cannot be taken. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static const double huge = 1e300;

double ladder(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, 8);
    int high = (int)(bits >> 32) & 0x7fffffff;
    if (high >= 0x7ff00000)
        return x - x;
    if (high < 0x3e400000) {
        if (huge + x > 1.0)
            return x;
    }
    if (x == 0.5)
        return 2.0;
    return sin(x) / x;
}
