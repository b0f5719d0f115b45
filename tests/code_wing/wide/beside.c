/* The operations of wide.c and those of the processor, on the same numbers. */
#define fabsl own_fabsl
#define sqrtl own_sqrtl
#define copysignl own_copysignl
#define floorl own_floorl
#define ceill own_ceill
#define truncl own_truncl
#define rintl own_rintl
#define nearbyintl own_nearbyintl
#define roundl own_roundl
#define fmaxl own_fmaxl
#define fminl own_fminl
#define scalblnl own_scalblnl
#define scalbnl own_scalbnl
#define ldexpl own_ldexpl
#define frexpl own_frexpl
#define modfl own_modfl
#include "wide.c"
#undef fabsl
#undef sqrtl
#undef copysignl
#undef floorl
#undef ceill
#undef truncl
#undef rintl
#undef nearbyintl
#undef roundl
#undef fmaxl
#undef fminl
#undef scalblnl
#undef scalbnl
#undef ldexpl
#undef frexpl
#undef modfl
#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned long state = 1;

static unsigned long bits(void)
{
    unsigned long z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

union wide { long double x; struct { unsigned long m; unsigned short e; } p; };

/* Numbers of all sizes, most of them near the ends of the formats or near 1. */
static long double any(void)
{
    union wide u;
    int kind = bits() % 8, from = bits() % 7;
    unsigned short sign;
    memset(&u, 0, sizeof u);
    u.p.m = kind == 1 ? 0 : bits();
    if (kind == 0)
        u.p.m &= ~0ul << bits() % 64;
    u.p.e = bits();
    sign = u.p.e & 0x8000;
    if (from == 0) u.p.e = sign | (16383 - 70 + bits() % 140);
    if (from == 1) u.p.e = sign | bits() % 70;
    if (from == 2) u.p.e = sign | (0x7fff - bits() % 3);
    if (from == 3) u.p.e = sign | 16383;
    if (from == 4) u.p.e = sign | (16383 - 1074 + bits() % 100);
    if (from == 5) u.p.e = sign | (16383 - 150 + bits() % 60);
    u.p.m = u.p.e & 0x7fff ? u.p.m | 1ul << 63 : u.p.m & ~(1ul << 63);
    if (bits() % 50 == 0)
        u.p.m = 0, u.p.e = sign;
    return u.x;
}

static magneto_wide wide(long double x)
{
    union magneto_bits u;
    u.w[0] = u.w[1] = 0;
    memcpy(&u, &x, 10);
    return u.x;
}

static int same(magneto_wide a, long double x)
{
    magneto_wide b = wide(x);
    if (x != x)
        return magneto_open(a).kind == NAN_;
    return magneto_low(a) == magneto_low(b) && magneto_high(a) == magneto_high(b);
}

static int wrong;
static void expect(const char *what, int holds, long double a, long double b)
{
    if (!holds && wrong++ < 20)
        printf("%s of %La and %La\n", what, a, b);
}

int main(void)
{
    long i, count = 500000, differ = 0;
    for (i = 0; i < count; i++) {
        volatile long double a = any(), b = i % 5 ? any() : a * (1 + bits() % 3 * 1e-19L);
        magneto_wide x = wide(a), y = wide(b), p;
        double d = (double)a, e = magneto_wide_double(x);
        float f = (float)a, g = magneto_wide_float(x);
        long n = (long)bits() >> bits() % 64, c = magneto_wide_cmp(x, y, 12345);
        int k = (int)(bits() % 40000) - 20000, r, s;
        long double q;
        wrong = 0;
#define IS(name, holds) expect(name, holds, a, b)
        IS("sum", same(magneto_wide_add(x, y), a + b));
        IS("difference", same(magneto_wide_sub(x, y), a - b));
        IS("product", same(magneto_wide_mul(x, y), a * b));
        IS("quotient", same(magneto_wide_div(x, y), a / b));
        IS("root", same(magneto_wide_sqrt(x), sqrtl(a)));
        IS("double", !memcmp(&d, &e, 8) || (d != d && e != e));
        IS("float", !memcmp(&f, &g, 4) || (f != f && g != g));
        IS("of double", same(magneto_wide_of(d), d));
        IS("comparison", a != a || b != b ? c == 12345 : (c < 0) == (a < b) && (c == 0) == (a == b));
        IS("signed", same(magneto_wide_signed(n), n) && same(magneto_wide_unsigned(n), (unsigned long)n));
        IS("long", magneto_wide_integer(x, 64) == (long)a);
        IS("int", (int)magneto_wide_integer(x, 32) == (int)a);
        IS("short", (short)magneto_wide_integer(x, 16) == (short)a);
        if (a > -1 && a < 18446744073709551616.0L)
            IS("unsigned long", magneto_wide_natural(x) == (unsigned long)a);
        if (a > -1 && a < 4294967296.0L)
            IS("unsigned", (unsigned)magneto_wide_integer(x, 64) == (unsigned)a);
        IS("floor", same(own_floorl(x), floorl(a)) && same(own_ceill(x), ceill(a)));
        IS("trunc", same(own_truncl(x), truncl(a)) && same(own_rintl(x), rintl(a)));
        IS("round", same(own_roundl(x), roundl(a)) && same(own_copysignl(x, y), copysignl(a, b)));
        if (a == a && b == b && a != b)
            IS("fmax", same(own_fmaxl(x, y), fmaxl(a, b)) && same(own_fminl(x, y), fminl(a, b)));
        IS("scalbn", same(own_scalbnl(x, k), scalbnl(a, k)));
        IS("frexp", same(own_frexpl(x, &r), frexpl(a, &s)) && (a - a != 0 || r == s));
        IS("modf", same(own_modfl(x, &p), modfl(a, &q)) && same(p, q));
        differ += wrong != 0;
    }
    printf("%ld of %ld differ\n", differ, count);
    return 0;
}
