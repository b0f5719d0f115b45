// Floats from text, as glibc reads them in the locale in which programs begin: the nearest one, ties to even.
int magneto_errno;
// Code may define some of these itself.
#define MAGNETO_OWN __attribute__((weak))
// A number without a sign in words of 32 bits, the lowest first.
struct magneto_number {
    unsigned *words;
    int length;
};
enum { MAGNETO_WORDS = 160 };
static void magneto_times(struct magneto_number *n, unsigned factor, unsigned more) {
    unsigned long carry = more;
    for (unsigned *at = n->words, *end = at + n->length; at != end; at++, carry >>= 32) *at = (unsigned)(carry += (unsigned long)*at * factor);
    if (carry) n->words[n->length++] = (unsigned)carry;
}
// So often times 5.
static void magneto_times_five(struct magneto_number *n, long times) {
    for (; times >= 13; times -= 13) magneto_times(n, 1220703125, 0);
    for (; times > 0; times--) magneto_times(n, 5, 0);
}
static int magneto_width(const struct magneto_number *n) {
    return n->length ? 32 * n->length - __builtin_clz(n->words[n->length - 1]) : 0;
}
static void magneto_up(struct magneto_number *n, int bits) {
    int words = bits / 32, rest = bits % 32;
    if (!n->length) return;
    n->words[n->length] = 0;
    for (int i = n->length; i >= 0; i--)
        n->words[i + words] = n->words[i] << rest | (rest && i ? n->words[i - 1] >> (32 - rest) : 0);
    for (int i = 0; i < words; i++) n->words[i] = 0;
    n->length += words + 1;
    while (n->length && !n->words[n->length - 1]) n->length--;
}
// Takes a number q times from another one, which has a word more or as many, and says by how much that is too often.
static int magneto_take(struct magneto_number *n, const struct magneto_number *d, unsigned q) {
    unsigned long carry = 0;
    long borrow = 0;
    for (int i = 0; i <= d->length; i++) {
        carry += i < d->length ? (unsigned long)d->words[i] * q : 0;
        borrow += (long)n->words[i] - (long)(unsigned)carry;
        n->words[i] = (unsigned)borrow;
        carry >>= 32, borrow >>= 32;
    }
    int times = 0;
    for (; borrow < 0; times++) {
        carry = 0;
        for (int i = 0; i <= d->length; i++, carry >>= 32)
            n->words[i] = (unsigned)(carry += (unsigned long)n->words[i] + (i < d->length ? d->words[i] : 0));
        borrow += (long)carry;
    }
    return times;
}
// Below the least normal number glibc cuts a number twice, and what is exactly a half behind the first cut is lost at the second one: it
// may decide there whether the number is rounded up, or is exact. Versions may differ in this.
static int magneto_is_cut_twice(unsigned long m, int by) {
    if (by <= 0 || by > 64) return 0;
    unsigned long half = 1UL << (by - 1), behind = m & (half | (half - 1)), is_odd = by < 64 && m >> by & 1;
    return !behind || (behind == half && !is_odd);
}
// The float nearest to (m + something below 1 where `is_more`) 2^e, with so many bits and the exponent of the last one of subnormal numbers.
static double magneto_rounded(unsigned long m, int is_more, int e, int precision, int least, int most) {
    if (!m) return 0;
    int width = 64 - __builtin_clzl(m), drop = width - precision;
    if (drop < least - e) drop = least - e;
    unsigned long kept = m;
    int is_inexact = is_more;
    if (drop > 64) kept = 0, is_inexact = 1;
    else if (drop > 0) {
        unsigned long half = 1UL << (drop - 1), rest = drop == 64 ? m : m & ((half << 1) - 1);
        kept = drop == 64 ? 0 : m >> drop;
        is_inexact |= rest != 0;
        if (rest > half || (rest == half && (is_more || (kept & 1)))) kept++;
    }
    int spare = width - precision;
    if (spare > 0 && !is_more && (m & ((1UL << spare) - 1)) == 1UL << (spare - 1) && magneto_is_cut_twice(m >> spare, drop - spare)) __builtin_trap();
    if (drop < 0) drop = 0;
    // Tiny is what is below the least normal number after rounding as if there were no least exponent.
    int is_tiny = width + e < least + precision;
    if (is_tiny && width + e == least + precision - 1 && spare > 0) {
        unsigned long whole = m >> spare, half = 1UL << (spare - 1), rest = m & ((half << 1) - 1);
        is_tiny = !(whole == (1UL << precision) - 1 && (rest > half || rest == half));
    }
    e += drop;
    int top = 64 - (kept ? __builtin_clzl(kept) : 64) + e;
    if (kept && top > most) {
        magneto_errno = 34;
        return __builtin_inf();
    }
    if (is_inexact && is_tiny) magneto_errno = 34;
    double x = (double)kept;
    while (e > 0) { int by = e < 1000 ? e : 1000; x *= __builtin_bit_cast(double, (unsigned long)(1023 + by) << 52); e -= by; }
    while (e < 0) { int by = -e < 1000 ? -e : 1000; x *= __builtin_bit_cast(double, (unsigned long)(1023 - by) << 52); e += by; }
    return x;
}
static int magneto_word(const char *s, const char *word) {
    for (; *word; s++, word++)
        if ((*s | 32) != *word) return 0;
    return 1;
}
// What a text says: a number (m + rest 2^-64) 2^e, where the last bit of the rest stands for all behind it, or another kind.
enum { MAGNETO_NUMBER, MAGNETO_INFINITE, MAGNETO_NONE, MAGNETO_HUGE, MAGNETO_TINY };
struct magneto_read {
    unsigned long m, rest;
    int e, is_negative, kind;
};
// How long a number may be: so many digits, and at most and at least so many before the point; below, above and behind it is huge or tiny.
struct magneto_bounds { int digits, most, least; };
// The quotient of two numbers: its words from the top, each from the first words of both; the last bit stands for what is left.
static void magneto_quotient(struct magneto_read *r, struct magneto_number *n, struct magneto_number *d) {
    // The divisor has its leading bit at the top, and the other one has as many words and is less than twice as large.
    int up = -magneto_width(d) & 31, length, is_left = 0;
    magneto_up(d, up);
    r->e = up;
    up = 32 * d->length - magneto_width(n);
    if (up < 0) {
        // A longer one: the divisor gets zeros below.
        int words = (31 - up) / 32;
        magneto_up(d, 32 * words);
        r->e += 32 * words, up += 32 * words;
    }
    magneto_up(n, up);
    r->e -= up;
    length = d->length;
    n->words[length] = 0;
    unsigned words[4], top = d->words[length - 1];
    for (int k = 0; k < 4; k++) {
        unsigned long first = (unsigned long)n->words[length] << 32 | n->words[length - 1], q = first / top;
        q = q > 0xffffffff ? 0xffffffff : q;
        words[k] = (unsigned)q - (unsigned)magneto_take(n, d, (unsigned)q);
        for (int i = length; i > 0; i--) n->words[i] = n->words[i - 1];
        n->words[0] = 0;
    }
    for (int i = 0; i <= length; i++) is_left |= n->words[i] != 0;
    // The first word is 0 or 1.
    unsigned long high = (unsigned long)words[1] << 32 | words[2], low = (unsigned long)words[3] << 32 | (unsigned long)is_left;
    r->m = words[0] ? 1UL << 63 | high >> 1 : high;
    r->rest = words[0] ? low >> 1 | (high & 1) << 63 | (unsigned long)is_left : low;
    r->e -= words[0] ? 63 : 64;
}
static struct magneto_read magneto_read(const char *s, char **end, unsigned *words, unsigned *others, struct magneto_bounds most) {
    struct magneto_read r = {0, 0, 0, 0, MAGNETO_NUMBER};
    const char *at = s;
    while (*at == ' ' || (*at >= 9 && *at <= 13)) at++;
    r.is_negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    if (end) *end = (char *)s;
    if (magneto_word(at, "inf")) {
        if (end) *end = (char *)at + (magneto_word(at + 3, "inity") ? 8 : 3);
        r.kind = MAGNETO_INFINITE;
        return r;
    }
    if (magneto_word(at, "nan")) {
        const char *after = at + 3;
        if (*after == '(') {
            const char *p = after + 1;
            while ((*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'z') || *p == '_') p++;
            // A payload is not followed.
            if (*p == ')') {
                if (p > after + 1) __builtin_trap();
                after = p + 1;
            }
        }
        if (end) *end = (char *)after;
        r.kind = MAGNETO_NONE;
        return r;
    }
    int is_hex = 0;
    if (at[0] == '0' && (at[1] | 32) == 'x') {
        const char *p = at + 2 + (at[2] == '.');
        is_hex = (*p >= '0' && *p <= '9') || ((*p | 32) >= 'a' && (*p | 32) <= 'f');
    }
    if (is_hex) at += 2;
    struct magneto_number n = {words, 0}, d = {others, 1};
    long e = 0;
    int has_digits = 0, has_point = 0, digits = 0, is_more = 0;
    for (;; at++) {
        int c = *at, digit = c >= '0' && c <= '9' ? c - '0' : is_hex && (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (c == '.' && !has_point) {
            has_point = 1;
            continue;
        }
        if (digit < 0) break;
        if (has_point) e--;
        if (is_hex && r.m >> 60) {
            r.rest |= is_more ? digit != 0 : (unsigned long)digit << 60;
            is_more = 1, e++;
        } else if (is_hex) r.m = r.m << 4 | (unsigned long)digit;
        else if (digits >= most.digits) is_more |= digit != 0, e++;
        else if (digits || digit) magneto_times(&n, 10, (unsigned)digit), digits++;
        has_digits = 1;
    }
    if (!has_digits) {
        r.is_negative = 0;
        return r;
    }
    if (is_hex) e *= 4;
    if ((*at | 32) == (is_hex ? 'p' : 'e')) {
        const char *p = at + 1;
        int negative = *p == '-';
        if (*p == '-' || *p == '+') p++;
        if (*p >= '0' && *p <= '9') {
            long power = 0;
            for (; *p >= '0' && *p <= '9'; p++)
                if (power < 100000000) power = 10 * power + (*p - '0');
            e += negative ? -power : power;
            at = p;
        }
    }
    if (end) *end = (char *)at;
    if (is_hex) {
        r.e = (int)(e < -100000 ? -100000 : e > 100000 ? 100000 : e);
        return r;
    }
    if (!n.length) return r;
    if (is_more) magneto_times(&n, 10, 1), digits++, e--;
    if (e + digits > most.most || e + digits < most.least) {
        r.kind = e + digits > 0 ? MAGNETO_HUGE : MAGNETO_TINY;
        return r;
    }
    d.words[0] = 1;
    if (e > 0) magneto_times_five(&n, e);
    else magneto_times_five(&d, -e);
    magneto_quotient(&r, &n, &d);
    r.e += (int)e;
    return r;
}
static double magneto_float(const char *s, char **end, int precision, int least, int most) {
    unsigned words[MAGNETO_WORDS], others[MAGNETO_WORDS];
    struct magneto_bounds bounds = {800, 310, -400};
    struct magneto_read r = magneto_read(s, end, words, others, bounds);
    double sign = r.is_negative ? -1 : 1;
    if (r.kind == MAGNETO_INFINITE) return sign * __builtin_inf();
    if (r.kind == MAGNETO_NONE) return __builtin_copysign(__builtin_nan(""), sign);
    if (r.kind != MAGNETO_NUMBER) {
        magneto_errno = 34;
        return sign * (r.kind == MAGNETO_HUGE ? __builtin_inf() : 0.0);
    }
    return sign * magneto_rounded(r.m, r.rest != 0, r.e, precision, least, most);
}
MAGNETO_OWN double strtod(const char *s, char **end) { return magneto_float(s, end, 53, -1074, 1024); }
MAGNETO_OWN float strtof(const char *s, char **end) { return (float)magneto_float(s, end, 24, -149, 128); }
MAGNETO_OWN double atof(const char *s) { return magneto_float(s, 0, 53, -1074, 1024); }
