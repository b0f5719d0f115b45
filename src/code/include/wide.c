/* The processor's `long double`: 64 bits of precision, 15 of exponent, each operation rounded to the nearest with ties to
   even. A value is carried in the lower ten bytes of 16, as it stands in memory. */
typedef unsigned long magneto_word;
typedef __float128 magneto_wide;
union magneto_bits { magneto_wide x; magneto_word w[2]; };
struct magneto_parts { int sign, exponent, kind; magneto_word m; };
enum { ZERO, FINITE, INFINITE, NAN_ };
#define TOP 0x8000000000000000ul

static magneto_wide magneto_make(int sign, int field, magneto_word m)
{
    union magneto_bits u;
    u.w[0] = m;
    u.w[1] = (magneto_word)sign << 15 | (magneto_word)field;
    return u.x;
}

static magneto_word magneto_low(magneto_wide x) { union magneto_bits u; u.x = x; return u.w[0]; }
static int magneto_high(magneto_wide x) { union magneto_bits u; u.x = x; return (int)(u.w[1] & 0xffff); }

/* With the leading bit of a finite significand at the top; the exponent is that of this bit, with the bias. */
static struct magneto_parts magneto_open(magneto_wide x)
{
    struct magneto_parts p;
    int high = magneto_high(x);
    p.m = magneto_low(x), p.sign = high >> 15, p.exponent = high & 0x7fff;
    if (p.exponent == 0x7fff) {
        p.kind = p.m == TOP ? INFINITE : NAN_;
        return p;
    }
    /* What has no leading bit is no number. */
    if (p.exponent && !(p.m & TOP)) {
        p.kind = NAN_;
        return p;
    }
    p.kind = p.m ? FINITE : ZERO;
    if (!p.exponent)
        p.exponent = 1;
    while (p.kind == FINITE && !(p.m & TOP))
        p.m <<= 1, p.exponent--;
    return p;
}

static magneto_wide magneto_none(void) { return magneto_make(1, 0x7fff, 0xc000000000000000ul); }
static magneto_wide magneto_endless(int sign) { return magneto_make(sign, 0x7fff, TOP); }

static magneto_wide magneto_quiet(struct magneto_parts a, struct magneto_parts b)
{
    if (a.kind != NAN_ || (b.kind == NAN_ && b.m > a.m))
        a = b;
    if (a.exponent != 0x7fff || !(a.m & TOP))
        return magneto_none();
    return magneto_make(a.sign, 0x7fff, a.m | 0x4000000000000000ul);
}

/* Shifted to the right, with what is lost in the last bit. */
static void magneto_shift(magneto_word *m, magneto_word *rest, int by)
{
    magneto_word lost = 0;
    while (by >= 64)
        lost |= *rest, *rest = *m, *m = 0, by -= by > 256 ? by - 192 : 64;
    if (by > 0) {
        lost |= *rest << (64 - by);
        *rest = *rest >> by | *m << (64 - by);
        *m >>= by;
    }
    *rest |= lost != 0;
}

/* The number m + rest 2^-64 with the leading bit at the top, rounded. */
static magneto_wide magneto_round(int sign, int exponent, magneto_word m, magneto_word rest)
{
    int small = exponent <= 0;
    if (small)
        magneto_shift(&m, &rest, 1 - exponent), exponent = 1;
    if (rest > TOP || (rest == TOP && m & 1))
        if (++m == 0)
            m = TOP, exponent++;
    if (exponent >= 0x7fff)
        return magneto_endless(sign);
    if (small && !(m & TOP))
        exponent = 0;
    return magneto_make(sign, exponent, m);
}

/* The same for other texts. */
magneto_wide magneto_wide_rounded(int sign, int exponent, magneto_word m, magneto_word rest)
{
    return magneto_round(sign, exponent, m, rest);
}

magneto_wide magneto_wide_neg(magneto_wide x) { return magneto_make(!(magneto_high(x) >> 15), magneto_high(x) & 0x7fff, magneto_low(x)); }
magneto_wide magneto_wide_abs(magneto_wide x) { return magneto_make(0, magneto_high(x) & 0x7fff, magneto_low(x)); }

magneto_wide magneto_wide_add(magneto_wide x, magneto_wide y)
{
    struct magneto_parts a = magneto_open(x), b = magneto_open(y), t;
    magneto_word rest = 0, m, low, zero = 0;
    if (a.kind == NAN_ || b.kind == NAN_)
        return magneto_quiet(a, b);
    if (a.kind == INFINITE || b.kind == INFINITE) {
        if (a.kind == b.kind && a.sign != b.sign)
            return magneto_none();
        return magneto_endless(a.kind == INFINITE ? a.sign : b.sign);
    }
    if (a.kind == ZERO && b.kind == ZERO)
        return magneto_make(a.sign & b.sign, 0, 0);
    if (a.kind == ZERO)
        return magneto_round(b.sign, b.exponent, b.m, 0);
    if (b.kind == ZERO)
        return magneto_round(a.sign, a.exponent, a.m, 0);
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.m < b.m))
        t = a, a = b, b = t;
    magneto_shift(&b.m, &rest, a.exponent - b.exponent);
    if (a.sign == b.sign) {
        m = a.m + b.m;
        if (m < a.m) {
            magneto_shift(&m, &rest, 1);
            return magneto_round(a.sign, a.exponent + 1, m | TOP, rest);
        }
        return magneto_round(a.sign, a.exponent, m, rest);
    }
    low = zero - rest;
    m = a.m - b.m - (rest != 0);
    if (!m && !low)
        return magneto_make(0, 0, 0);
    while (!(m & TOP))
        m = m << 1 | low >> 63, low <<= 1, a.exponent--;
    return magneto_round(a.sign, a.exponent, m, low);
}

magneto_wide magneto_wide_sub(magneto_wide x, magneto_wide y)
{
    struct magneto_parts b = magneto_open(y);
    return magneto_wide_add(x, b.kind == NAN_ ? y : magneto_wide_neg(y));
}

magneto_wide magneto_wide_mul(magneto_wide x, magneto_wide y)
{
    struct magneto_parts a = magneto_open(x), b = magneto_open(y);
    int sign = a.sign ^ b.sign, exponent = a.exponent + b.exponent - 16382;
    magneto_word al = a.m & 0xffffffff, ah = a.m >> 32, bl = b.m & 0xffffffff, bh = b.m >> 32, low, middle, high;
    if (a.kind == NAN_ || b.kind == NAN_)
        return magneto_quiet(a, b);
    if (a.kind == INFINITE || b.kind == INFINITE)
        return a.kind == ZERO || b.kind == ZERO ? magneto_none() : magneto_endless(sign);
    if (a.kind == ZERO || b.kind == ZERO)
        return magneto_make(sign, 0, 0);
    low = al * bl;
    middle = ah * bl + (low >> 32);
    high = ah * bh + (middle >> 32);
    middle = (middle & 0xffffffff) + al * bh;
    high += middle >> 32;
    low = middle << 32 | (low & 0xffffffff);
    if (!(high & TOP))
        high = high << 1 | low >> 63, low <<= 1, exponent--;
    return magneto_round(sign, exponent, high, low);
}

magneto_wide magneto_wide_div(magneto_wide x, magneto_wide y)
{
    struct magneto_parts a = magneto_open(x), b = magneto_open(y);
    int sign = a.sign ^ b.sign, exponent = a.exponent - b.exponent + 16383, carry = 0, i, bit;
    magneto_word rest = a.m, m = 0, low = 0;
    if (a.kind == NAN_ || b.kind == NAN_)
        return magneto_quiet(a, b);
    if (a.kind == INFINITE)
        return b.kind == INFINITE ? magneto_none() : magneto_endless(sign);
    if (b.kind == INFINITE)
        return magneto_make(sign, 0, 0);
    if (b.kind == ZERO)
        return a.kind == ZERO ? magneto_none() : magneto_endless(sign);
    if (a.kind == ZERO)
        return magneto_make(sign, 0, 0);
    if (a.m < b.m)
        carry = (int)(rest >> 63), rest <<= 1, exponent--;
    for (i = 0; i < 65; i++) {
        bit = carry || rest >= b.m;
        if (bit)
            rest -= b.m;
        if (i < 64)
            m = m << 1 | (magneto_word)bit;
        else
            low = (magneto_word)bit << 63;
        carry = (int)(rest >> 63), rest <<= 1;
    }
    return magneto_round(sign, exponent, m, low | (rest || carry));
}

magneto_wide magneto_wide_sqrt(magneto_wide x)
{
    struct magneto_parts a = magneto_open(x);
    unsigned __int128 rest = 0, test;
    magneto_word root = 0, high = a.m, low = 0;
    int i;
    if (a.kind == NAN_)
        return magneto_quiet(a, a);
    if (a.kind == ZERO)
        return x;
    if (a.sign)
        return magneto_none();
    if (a.kind == INFINITE)
        return x;
    /* An even exponent of the significand from 1/4 to 1. */
    if (!((a.exponent - 16382) & 1))
        ;
    else
        low = high << 63, high >>= 1, a.exponent++;
    for (i = 0; i < 64; i++) {
        rest = rest << 2 | high >> 62;
        high = high << 2 | low >> 62, low <<= 2;
        test = (unsigned __int128)root << 2 | 1;
        root <<= 1;
        if (rest >= test)
            rest -= test, root |= 1;
    }
    return magneto_round(0, (a.exponent - 16382) / 2 + 16382, root, rest > root ? TOP | 1 : rest != 0);
}

/* Below 0, 0 or above, as the first one is less, equal or greater, and farther from 0 the farther they are apart. */
long magneto_wide_cmp(magneto_wide x, magneto_wide y, long unordered)
{
    struct magneto_parts a = magneto_open(x), b = magneto_open(y);
    __int128 p, q;
    unsigned __int128 apart;
    long far;
    if (a.kind == NAN_ || b.kind == NAN_)
        return unordered;
    p = (__int128)(magneto_high(x) & 0x7fff) << 64 | magneto_low(x);
    q = (__int128)(magneto_high(y) & 0x7fff) << 64 | magneto_low(y);
    /* The leading bit is a number of its own below the smallest exponent alone. */
    p = a.kind == ZERO ? 0 : a.sign ? -p : p;
    q = b.kind == ZERO ? 0 : b.sign ? -q : q;
    apart = p < q ? (unsigned __int128)(q - p) : (unsigned __int128)(p - q);
    far = apart >> 32 ? (long)(0x100000000ul + (magneto_word)(apart >> 19)) : (long)apart;
    return p < q ? -far : far;
}

magneto_wide magneto_wide_of(double d)
{
    union { double d; magneto_word w; } u;
    int sign, exponent;
    magneto_word m;
    u.d = d, sign = (int)(u.w >> 63), exponent = (int)(u.w >> 52 & 0x7ff), m = u.w << 11;
    if (exponent == 0x7ff)
        return magneto_make(sign, 0x7fff, m & ~TOP ? m | 0xc000000000000000ul : TOP);
    if (!exponent) {
        if (!(m & ~TOP))
            return magneto_make(sign, 0, 0);
        m &= ~TOP, exponent = 1;
        while (!(m & TOP))
            m <<= 1, exponent--;
        return magneto_make(sign, exponent + 15360, m);
    }
    return magneto_make(sign, exponent + 15360, m | TOP);
}

/* The bits of a shorter float: so many of its significand without the leading one, with the largest exponent. */
static magneto_word magneto_narrow(magneto_wide x, int fraction, int largest)
{
    struct magneto_parts a = magneto_open(x);
    int exponent = a.exponent - 16383 + largest / 2, drop = 63 - fraction;
    magneto_word sign = (magneto_word)a.sign, m = a.m, rest = 0, whole = (magneto_word)largest << fraction;
    magneto_word mark = sign << (fraction == 52 ? 63 : 31);
    if (a.kind == NAN_)
        return a.exponent != 0x7fff || !(m & TOP) ? 1ul << (fraction == 52 ? 63 : 31) | whole | 1ul << (fraction - 1)
                                                  : mark | whole | 1ul << (fraction - 1) | (m & ~TOP) >> drop;
    if (a.kind == INFINITE)
        return mark | whole;
    if (a.kind == ZERO)
        return mark;
    if (exponent <= 0)
        drop += 1 - exponent, exponent = 0;
    else
        exponent--;
    if (exponent >= largest)
        return mark | whole;
    magneto_shift(&m, &rest, drop);
    if (rest > TOP || (rest == TOP && m & 1))
        m++;
    /* The leading bit counts the exponent up. */
    m += (magneto_word)exponent << fraction;
    return mark | (m >= whole ? whole : m);
}

double magneto_wide_double(magneto_wide x)
{
    union { double d; magneto_word w; } u;
    u.w = magneto_narrow(x, 52, 0x7ff);
    return u.d;
}

float magneto_wide_float(magneto_wide x)
{
    union { float f; unsigned w; } u;
    u.w = (unsigned)magneto_narrow(x, 23, 0xff);
    return u.f;
}

magneto_wide magneto_wide_unsigned(magneto_word n)
{
    int exponent = 16383 + 63;
    if (!n)
        return magneto_make(0, 0, 0);
    while (!(n & TOP))
        n <<= 1, exponent--;
    return magneto_make(0, exponent, n);
}

magneto_wide magneto_wide_signed(long n)
{
    magneto_wide x = magneto_wide_unsigned(n < 0 ? -(magneto_word)n : (magneto_word)n);
    return n < 0 ? magneto_wide_neg(x) : x;
}

/* Towards 0; what does not fit is the least of all. */
long magneto_wide_integer(magneto_wide x, long bits)
{
    struct magneto_parts a = magneto_open(x);
    magneto_word least = 1ul << (bits - 1), n;
    int shift = 16383 + 63 - a.exponent;
    if (a.kind == ZERO || (a.kind == FINITE && shift > 63))
        return 0;
    if (a.kind != FINITE || shift < 0)
        return (long)(0 - least);
    n = a.m >> shift;
    if (n > least - !a.sign)
        return (long)(0 - least);
    return a.sign ? (long)(0 - n) : (long)n;
}

magneto_word magneto_wide_natural(magneto_wide x)
{
    magneto_wide half = magneto_make(0, 16383 + 63, TOP);
    if (magneto_wide_cmp(x, half, -1) < 0)
        return (magneto_word)magneto_wide_integer(x, 64);
    return (magneto_word)magneto_wide_integer(magneto_wide_sub(x, half), 64) ^ TOP;
}

/* What the library has, unless the code has it itself. */
#define LIBRARY __attribute__((weak))

LIBRARY magneto_wide fabsl(magneto_wide x) { return magneto_wide_abs(x); }
LIBRARY magneto_wide sqrtl(magneto_wide x) { return magneto_wide_sqrt(x); }

LIBRARY magneto_wide copysignl(magneto_wide x, magneto_wide y)
{
    return magneto_make(magneto_high(y) >> 15, magneto_high(x) & 0x7fff, magneto_low(x));
}

/* An integer: towards 0, or by one more in size where that is asked for. */
enum { DOWN, UP, AWAY, EVEN };

static magneto_wide magneto_whole(magneto_wide x, int to)
{
    struct magneto_parts a = magneto_open(x);
    magneto_word m, rest, half;
    int shift = 16383 + 63 - a.exponent, more;
    if (a.kind == NAN_)
        return magneto_quiet(a, a);
    if (a.kind != FINITE || shift <= 0)
        return x;
    if (shift > 64)
        m = 0, rest = 1, half = 0;
    else if (shift == 64)
        m = 0, rest = a.m, half = a.m >= TOP ? a.m == TOP ? 1 : 2 : 0;
    else {
        m = a.m >> shift, rest = a.m << (64 - shift);
        half = rest > TOP ? 2 : rest == TOP;
    }
    more = to == DOWN ? a.sign && rest : to == UP ? !a.sign && rest : to == AWAY ? half > 0 : to == EVEN ? half == 2 || (half == 1 && m & 1) : 0;
    m += (magneto_word)more;
    x = magneto_wide_unsigned(m);
    return m || more ? magneto_make(a.sign, magneto_high(x), magneto_low(x)) : magneto_make(a.sign, 0, 0);
}

LIBRARY magneto_wide floorl(magneto_wide x) { return magneto_whole(x, DOWN); }
LIBRARY magneto_wide ceill(magneto_wide x) { return magneto_whole(x, UP); }
LIBRARY magneto_wide truncl(magneto_wide x) { return magneto_whole(x, 4); }
LIBRARY magneto_wide rintl(magneto_wide x) { return magneto_whole(x, EVEN); }
LIBRARY magneto_wide nearbyintl(magneto_wide x) { return magneto_whole(x, EVEN); }
LIBRARY magneto_wide roundl(magneto_wide x) { return magneto_whole(x, AWAY); }

LIBRARY magneto_wide fmaxl(magneto_wide x, magneto_wide y)
{
    return magneto_wide_cmp(x, x, 1) || magneto_wide_cmp(x, y, 1) < 0 ? y : x;
}

LIBRARY magneto_wide fminl(magneto_wide x, magneto_wide y)
{
    return magneto_wide_cmp(x, x, 1) || magneto_wide_cmp(x, y, -1) > 0 ? y : x;
}

LIBRARY magneto_wide scalblnl(magneto_wide x, long n)
{
    struct magneto_parts a = magneto_open(x);
    if (a.kind == NAN_)
        return magneto_quiet(a, a);
    if (a.kind != FINITE)
        return x;
    n = n > 70000 ? 70000 : n < -70000 ? -70000 : n;
    return magneto_round(a.sign, a.exponent + (int)n, a.m, 0);
}

LIBRARY magneto_wide scalbnl(magneto_wide x, int n) { return scalblnl(x, n); }
LIBRARY magneto_wide ldexpl(magneto_wide x, int n) { return scalblnl(x, n); }

LIBRARY magneto_wide frexpl(magneto_wide x, int *n)
{
    struct magneto_parts a = magneto_open(x);
    *n = 0;
    if (a.kind == NAN_)
        return magneto_quiet(a, a);
    if (a.kind != FINITE)
        return x;
    *n = a.exponent - 16382;
    return magneto_make(a.sign, 16382, a.m);
}

LIBRARY magneto_wide modfl(magneto_wide x, magneto_wide *whole)
{
    struct magneto_parts a = magneto_open(x);
    *whole = magneto_whole(x, 4);
    if (a.kind == INFINITE)
        return magneto_make(a.sign, 0, 0);
    return copysignl(magneto_wide_sub(x, *whole), x);
}
