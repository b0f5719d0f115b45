/* Integers of 64 bits whose upper halves decide. */
#include <assert.h>
#include <stdint.h>

int xs(uint64_t u) {
    uint64_t x = u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    if (x == 23)
        if ((int64_t)u >> 60 == -3)
            return 1;
    return 0;
}

int mix(int64_t a, int64_t b) {
    int64_t s = (a >> 40) + (b >> 40);
    if (s == -10831530 && (a ^ b) == 0x123456789abcdef0)
        return 1;
    return 0;
}

/* Ticks to seconds, rounded down. */
int sub(int64_t t0, int64_t t1) {
    int64_t dt = (t1 - t0) >> 32;
    int64_t lost = t0 >> 40;
    if (lost == -77 && dt == 123456789 && (uint32_t)t0 == 0xdeadbeef)
        return 1;
    return 0;
}

int shift(int64_t a) {
    if (a < 0)
        if (a >> 3 == -5)
            return 1;
    return 0;
}

typedef union {
    double d;
    int64_t i;
    uint64_t u;
    struct {
        uint32_t lo, hi;
    } w;
} U;

int upper(int64_t i) {
    U u;
    u.i = i;
    if (u.w.hi == 0xfff00001u)
        if (u.w.lo == 7)
            return 1;
    return 0;
}

int flipped(double x) {
    U u;
    u.d = x;
    u.i ^= 0x5555;
    if (u.w.hi == 0xc0080000u)
        if (u.w.lo == 0x12345678u)
            return 1;
    return 0;
}

int next(double x) {
    U u;
    u.d = x;
    u.i += 1;
    if (u.w.hi >= 0x80000000u)
        if (u.w.lo == 0x12345678u)
            return 1;
    return 0;
}

int negated(double x) {
    U u;
    u.d = x;
    u.u = -u.u;
    if (u.w.hi == 0xbff00000u)
        if (u.w.lo == 0x12345678u)
            return 1;
    return 0;
}

int exponent(double x) {
    U u;
    u.d = x;
    int e = (int)(u.i >> 52);
    if (e == -1021)
        if ((u.i & 0xfffffffffffff) == 0x123456789abcd)
            return 1;
    return 0;
}

int exponent_long(double x) {
    U u;
    u.d = x;
    int64_t e = u.i >> 52;
    if (e == -1021)
        if ((u.i & 0xfffffffffffff) == 0x123456789abcd)
            return 1;
    return 0;
}

int exponent_masked(double x) {
    U u;
    u.d = x;
    if ((u.i >> 52 & 0xfff) == 0xc03)
        if ((u.i & 0xfffffffffffff) == 0x123456789abcd)
            return 1;
    return 0;
}

int64_t shares(int64_t t, int64_t n) {
    int64_t s = t >> 20;
    if (s == -123456789)
        return n / (s + 123456789);
    return 1;
}

int64_t hashed(int64_t t, int64_t n) {
    uint64_t h = (uint64_t)n * 0x9E3779B97F4A7C15ull;
    if (h == 0x1234567ull)
        return n / ((t >> 32) + 77);
    return 1;
}

int asserted(int64_t t) {
    if (t < 0)
        assert((t >> 50) != -8191);
    return 0;
}

/* The bounds of a need not have the bit that all of its values have. */
int masked(unsigned a) {
    unsigned b = a | 2;
    if (b >= 5)
        if (b <= 7)
            if ((b & ~2u) == 4)
                return 1;
    return 0;
}
