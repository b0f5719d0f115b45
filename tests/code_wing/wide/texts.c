/* `strtold` and `strtod` of runs beside the library's: values, `errno` and ends, of texts of all sizes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* gcc below 14 has none in C. */
#define __builtin_bit_cast(T, x) ({ __typeof__(x) from = (x); T to; memcpy(&to, &from, sizeof to); to; })
/* Runs do not follow what versions of the library do in different ways. */
static int is_unknown;
#define __builtin_trap() (void)(is_unknown = 1)
#define strtod own_strtod
#define strtof own_strtof
#define atof own_atof
#define strtold own_strtold
#include "strtod.c"
#include "strtold.c"
#undef strtod
#undef strtof
#undef strtold

static long double of_parts(int sign, int field, unsigned long m)
{
    union { unsigned long w[2]; long double x; } u = {{m, (unsigned long)sign << 15 | (unsigned long)field}};
    return u.x;
}

/* As in wide.c, one bit at a time. */
long double magneto_wide_rounded(int sign, int exponent, unsigned long m, unsigned long rest)
{
    int is_small = exponent <= 0;
    for (; exponent < 1 && (m || rest > 1); exponent++)
        rest = rest >> 1 | (rest & 1) | m << 63, m >>= 1;
    if (exponent < 1)
        exponent = 1;
    if ((rest > 1UL << 63 || (rest == 1UL << 63 && m & 1)) && ++m == 0)
        m = 1UL << 63, exponent++;
    if (exponent >= 0x7fff)
        return of_parts(sign, 0x7fff, 1UL << 63);
    return of_parts(sign, is_small && !(m >> 63) ? 0 : exponent, m);
}

static unsigned long state = 88172645463325252UL;
static unsigned long next(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static long differ, unknown;

static void compare(const char *s)
{
    char *end, *own;
    errno = magneto_errno = is_unknown = 0;
    long double x = strtold(s, &end), y = own_strtold(s, &own);
    int is_other = !is_unknown && (memcmp(&x, &y, 10) || errno != magneto_errno || end != own);
    unknown += is_unknown;
    errno = magneto_errno = is_unknown = 0;
    double p = strtod(s, &end), q = own_strtod(s, &own);
    is_other |= !is_unknown && (memcmp(&p, &q, sizeof p) || errno != magneto_errno || end != own);
    unknown += is_unknown;
    errno = magneto_errno = is_unknown = 0;
    float f = strtof(s, &end), g = own_strtof(s, &own);
    is_other |= !is_unknown && (memcmp(&f, &g, sizeof f) || errno != magneto_errno || end != own);
    unknown += is_unknown;
    if (is_other && differ++ < 10)
        printf("%s: %La, %La\n", s, x, y);
}

/* Of all sizes, more often near the ends and where doubles end. */
static long double number(void)
{
    unsigned long m = next() | 1UL << 63, kind = next() % 8, field = next() % 0x7fff;
    if (kind == 0)
        field %= 3;
    else if (kind == 1)
        field = 0x3fff + field % 40 - 20;
    else if (kind == 2)
        field = 0x3fff - 1134 + field % 80;
    return of_parts((int)(next() & 1), (int)field, field ? m : m & ~(1UL << 63));
}

int main(void)
{
    enum { TIMES = 20000 };
    char text[400];
    for (int i = 0; i < TIMES; i++) {
        long double x = number();
        unsigned long m = next() | 1;
        int power = (int)(next() % 12000) - 6000, digits = (int)(next() % 30);
        static const char *const tails[] = {"8", "80000000000000000000001", "7fffffffffffffff"};
        switch (next() % 5) {
        case 0: snprintf(text, sizeof text, "%.*Le", digits, x); break;
        case 1: snprintf(text, sizeof text, "%La", x); break;
        case 2: snprintf(text, sizeof text, "%.*La", digits, x); break;
        case 3:
            power = next() % 2 ? power * 3 : (int)(next() % 3 == 0 ? -16446 : next() % 2 ? -1086 : -190) - (int)(next() % 64);
            m &= next() % 2 ? ~0UL : ~0UL << next() % 60;
            m |= 1UL << 60;
            snprintf(text, sizeof text, "0x%lx.%sp%d", m, tails[next() % 3], power);
            break;
        default: snprintf(text, sizeof text, " %lu%lu.%lue%d", next(), m, next(), power);
        }
        compare(text);
    }
    printf("%ld of %d differ%s\n", differ, TIMES, unknown > TIMES / 100 ? ", and many are not known" : "");
    return 0;
}
