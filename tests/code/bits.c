/* Tricks with the bits of numbers: neighbours, a shorter format, roots of integers, parity, a calendar. */
#include <stdint.h>
#include <string.h>

double next_above(double x)
{
    uint64_t u;
    memcpy(&u, &x, 8);
    if ((u & 0x7fffffffffffffffu) > 0x7ff0000000000000u)
        return x;
    if (u == 0x8000000000000000u)
        u = 1;
    else if (u >> 63)
        u--;
    else if (u != 0x7ff0000000000000u)
        u++;
    memcpy(&x, &u, 8);
    return x;
}

unsigned short_float(float x)
{
    uint32_t u;
    memcpy(&u, &x, 4);
    unsigned sign = u >> 16 & 0x8000;
    int e = (int)(u >> 23 & 0xff) - 127;
    uint32_t m = u & 0x7fffff;
    if (e == 128)
        return sign | 0x7c00 | (m ? 0x200 : 0);
    if (e > 15)
        return sign | 0x7c00;
    if (e < -25)
        return sign;
    if (e < -14) {
        m |= 0x800000;
        int shift = -1 - e;
        uint32_t rest = m & ((1u << shift) - 1);
        uint32_t half = 1u << (shift - 1);
        m >>= shift;
        if (rest > half || (rest == half && (m & 1)))
            m++;
        return sign | m;
    }
    unsigned h = sign | (unsigned)(e + 15) << 10 | m >> 13;
    uint32_t rest = m & 0x1fff;
    if (rest > 0x1000 || (rest == 0x1000 && (h & 1)))
        h++;
    return h;
}

unsigned root(uint64_t n)
{
    uint64_t r = 0;
    for (int k = 31; k >= 0; k--) {
        uint64_t t = r + (1ull << k);
        if (t * t <= n)
            r = t;
    }
    if (r * r == n && n > 1000000)
        return 0;
    return (unsigned)r;
}

int month(int year, int day)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1583 || day < 1)
        return 0;
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    for (int m = 0; m < 12; m++) {
        int length = days[m] + (m == 1 && leap);
        if (day <= length)
            return m + 1;
        day -= length;
    }
    return -1;
}

int checked(uint32_t word)
{
    uint32_t p = word;
    p ^= p >> 16;
    p ^= p >> 8;
    p ^= p >> 4;
    p ^= p >> 2;
    p ^= p >> 1;
    if (p & 1)
        return -1;
    if ((word & 0xff) == 0xa5 && word >> 24 == 0x5a)
        return 2;
    if ((word & (word - 1)) == 0)
        return 3;
    return word > 0xfff00000u;
}
