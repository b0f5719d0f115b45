/* Code that looks at the bits of numbers, converts and selects. */
#include <math.h>
#include <stdint.h>
#include <string.h>

/* High and low words, as Fdlibm has them. */
int words(double x) {
    int32_t high;
    uint32_t low;
    memcpy(&high, (char *)&x + 4, 4);
    memcpy(&low, &x, 4);
    int32_t upper = high & 0x7fffffff;
    if (upper >= 0x7ff00000) return low == 0 ? 1 : 2;
    if (upper < 0x3e400000) return high < 0 ? 3 : 4;
    if (low > 0x80000000u) return 5;
    return (upper >> 20) - 1023 > 10 ? 6 : 7;
}

int classes(double x, float y) {
    int n = 0;
    if (signbit(x)) n += 1;
    if (isnan(y)) n += 2;
    if (isinf(x)) n += 4;
    if (copysign(1.0, x) * y > 3) n += 8;
    if (fabs(x) < 1e-310) n += 16;
    return n;
}

int casts(double x, float y, int n) {
    int i = (int)x;
    long long k = (long long)y;
    unsigned u = (unsigned)x;
    short s = (short)n;
    float f = (float)x;
    if (i > 1000) return 1;
    if (k < -5) return 2;
    if (u == 7) return 3;
    if (s < 0) return 4;
    if (f == x) return 5;
    if ((double)i == x) return 6;
    if ((unsigned char)n > 200) return 7;
    return (float)n == y ? 8 : 9;
}

int integers(int a, int b, unsigned c) {
    if (b != 0 && a / b == 7) return 1;
    if (b > 0 && a % b == 3) return 2;
    if ((c >> 3) == 5) return 3;
    if ((a ^ b) < 0) return 4;
    if (a * b == 12) return 5;
    if ((a & 255) > (b & 255)) return 6;
    switch (c) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 12;
    case 5: return 13;
    default: return 14;
    }
}

float single(float x, float y) {
    float m = fmaf(x, y, 1.0f);
    if (m > 10) return sqrtf(m);
    if (fminf(x, y) < -2) return floorf(x);
    if (fmaxf(x, y) > 3) return ceilf(y);
    if (roundf(x) == 1) return truncf(y);
    return rintf(x) - y;
}

double library(double x, double y) {
    if (exp(x) > 20) return log(x);
    if (sin(y) > 0.999) return cos(y);
    if (log(y) < -3) return tanh(x);
    if (atan(x) < -1.5) return sinh(y);
    if (pow(fabs(x), y) > 7) return 1;
    if (tgamma(y) < -2) return cbrt(x);
    if (hypot(x, y) < 1) return lgamma(x);
    return erf(x) + expf((float)y);
}

double chosen(double x, double y) {
    double a[4] = {1, 2, 3, 4};
    double low = x < y ? x : y;
    a[1] = low;
    if (a[1] > 2 || y > 100) low = a[2];
    return low < 0 ? -low : a[1] + a[3];
}
