#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef union { double d; int64_t i; uint64_t u; uint16_t h[4]; struct { uint32_t lo, hi; } w; } view;

static const uint8_t bytes[16] = { 7, 250, 3, 0, 255, 128, 127, 64, 31, 90, 200, 17, 1, 99, 13, 222 };
static const int16_t shorts[8] = { -32768, 32767, -1, 0, 1000, -1000, 77, -12345 };
static const double doubles[8] = { 0.1, -2.5, 1e300, -0.0, 0x1p-1060, 3.0, 1e-9, 123456.75 };
static const int64_t longs[4] = { INT64_MIN, INT64_MAX, -3, 0x123456789abcdef };

static uint64_t bits_of(double x) { view v; v.d = x; return v.u; }
static double of_bits(uint64_t u) { view v; v.u = u; return v.d; }
static uint32_t high_word(double x) { view v; v.d = x; return v.w.hi; }
static uint16_t third(double x) { view v; v.d = x; return v.h[2]; }
static uint32_t bits_of_float(float x) { uint32_t u; memcpy(&u, &x, sizeof u); return u; }
static float float_of(uint32_t u) { union { float f; uint32_t u; } v; v.u = u; return v.f; }
static uint64_t turned(uint64_t x, unsigned k) { k &= 63; return k ? x << k | x >> (64 - k) : x; }
static int ones(uint64_t x)
{
    int n = 0;
    while (x) {
        x &= x - 1;
        n++;
    }
    return n;
}
static int leading(uint32_t x)
{
    int n = 0;
    for (uint32_t bit = 0x80000000u; bit && !(x & bit); bit >>= 1)
        n++;
    return n;
}
static uint64_t mixed(uint64_t x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33;
    return x;
}
static uint32_t sum_of_bytes(const void *from, size_t n)
{
    uint32_t h = 2166136261u;
    const uint8_t *p = from;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}
static ptrdiff_t found(const uint8_t *from, const uint8_t *to, uint8_t key)
{
    const uint8_t *p = from;
    while (p < to && *p != key)
        p++;
    return p - from;
}
static int64_t rounded_down(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static void swapped(uint32_t *a, uint32_t *b) { uint32_t t = *a; *a = *b; *b = t; }
static uint64_t sum(uint64_t a, uint64_t b) { return a + b; }
static uint64_t difference(uint64_t a, uint64_t b) { return a - b; }
static uint64_t halves(uint64_t a, uint64_t b) { return a << 32 | b >> 32; }
static uint64_t less(uint64_t a, uint64_t b) { return (int64_t)a < (int64_t)b; }
static uint64_t (*const operations[4])(uint64_t, uint64_t) = { sum, difference, halves, less };
static uint32_t common(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t t = a % b;
        a = b;
        b = t;
    }
    return a;
}
static uint64_t high_product(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    return ah * bh + (middle >> 32) + (other >> 32);
}
static int digits(int64_t v, char *to)
{
    int n = 0;
    uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;
    do
        to[n++] = (char)('0' + u % 10);
    while (u /= 10);
    if (v < 0)
        to[n++] = '-';
    return n;
}
