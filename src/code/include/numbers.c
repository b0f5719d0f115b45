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
    for (int i = 0; i < n->length; i++) {
        carry += (unsigned long)n->words[i] * factor;
        n->words[i] = (unsigned)carry;
        carry >>= 32;
    }
    if (carry) n->words[n->length++] = (unsigned)carry;
}
static void magneto_times_ten(struct magneto_number *n, long times) {
    for (; times >= 9; times -= 9) magneto_times(n, 1000000000, 0);
    for (; times > 0; times--) magneto_times(n, 10, 0);
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
static int magneto_less(const struct magneto_number *a, const struct magneto_number *b) {
    if (a->length != b->length) return a->length < b->length;
    for (int i = a->length - 1; i >= 0; i--)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i];
    return 0;
}
static void magneto_minus(struct magneto_number *a, const struct magneto_number *b) {
    long carry = 0;
    for (int i = 0; i < a->length; i++) {
        carry += (long)a->words[i] - (i < b->length ? (long)b->words[i] : 0);
        a->words[i] = (unsigned)carry;
        carry >>= 32;
    }
    while (a->length && !a->words[a->length - 1]) a->length--;
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
    if (drop < 0) drop = 0;
    // Tiny is what is below the least normal number after rounding as if there were no least exponent.
    int spare = width - precision, is_tiny = width + e < least + precision;
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
// The quotient of two numbers, with 64 bits or 63, and two in the rest.
static void magneto_quotient(struct magneto_read *r, struct magneto_number *n, struct magneto_number *d) {
    int up = 64 + magneto_width(d) - magneto_width(n) - 1;
    if (up > 0) magneto_up(n, up);
    else magneto_up(d, -up);
    r->e = -up;
    magneto_up(n, 2);
    magneto_up(d, 65);
    for (int bit = 65; bit >= 0; bit--) {
        unsigned long is_in = !magneto_less(n, d);
        if (is_in) magneto_minus(n, d);
        if (bit > 1) r->m = r->m << 1 | is_in;
        else r->rest |= is_in << (62 + bit);
        for (int i = 0; i < d->length; i++) d->words[i] = d->words[i] >> 1 | (i + 1 < d->length ? d->words[i + 1] << 31 : 0);
        while (d->length && !d->words[d->length - 1]) d->length--;
    }
    r->rest |= n->length != 0;
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
    if (e > 0) magneto_times_ten(&n, e);
    else magneto_times_ten(&d, -e);
    magneto_quotient(&r, &n, &d);
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
// Text from numbers, as glibc writes it in the locale in which programs begin. What follows a format stands in memory, each number
// at a multiple of its size.
struct magneto_text {
    char *to;
    unsigned long room, length;
};
static void magneto_put(struct magneto_text *t, int c, long times) {
    for (; times > 0; times--, t->length++)
        if (t->length < t->room) t->to[t->length] = (char)c;
}
// The decimal digits of a finite number: it is 0.DIGITS times 10 to the power that is returned.
static int magneto_digits(double x, char *digits, int *count) {
    unsigned long bits = __builtin_bit_cast(unsigned long, x), m = bits & 0xfffffffffffffUL;
    int e = (int)(bits >> 52 & 2047), places = 0;
    unsigned words[MAGNETO_WORDS];
    struct magneto_number n = {words, 0};
    m |= e ? 1UL << 52 : 0;
    e = (e ? e : 1) - 1075;
    for (; m && !(m & 1) && e < 0; e++) m >>= 1;
    *count = 0;
    if (!m) return 0;
    n.words[0] = (unsigned)m;
    n.words[1] = (unsigned)(m >> 32);
    n.length = n.words[1] ? 2 : 1;
    if (e > 0) magneto_up(&n, e);
    for (; e < 0; e++, places++) magneto_times(&n, 5, 0);
    int at = 800;
    while (n.length) {
        unsigned long rest = 0;
        for (int i = n.length - 1; i >= 0; i--) {
            rest = rest << 32 | n.words[i];
            n.words[i] = (unsigned)(rest / 1000000000);
            rest %= 1000000000;
        }
        while (n.length && !n.words[n.length - 1]) n.length--;
        for (int i = 0; i < 9 && (n.length || rest); i++, rest /= 10) digits[--at] = (char)(rest % 10);
    }
    for (int i = at; i < 800; i++) digits[(*count)++] = digits[i];
    return *count - places;
}
// Keeps so many digits of them, ties to even, and returns the power.
static int magneto_keep(char *digits, int *count, int power, long wanted) {
    if (wanted >= *count) return power;
    int kept = wanted < 0 ? 0 : (int)wanted, is_up = 0;
    if (wanted >= 0) {
        int is_more = 0;
        for (int i = kept + 1; i < *count; i++) is_more |= digits[i];
        is_up = digits[kept] > 5 || (digits[kept] == 5 && (is_more || (kept && (digits[kept - 1] & 1))));
    }
    *count = kept;
    for (int i = kept - 1; is_up && i >= 0; i--) {
        is_up = digits[i] == 9;
        digits[i] = (char)(is_up ? 0 : digits[i] + 1);
    }
    if (!is_up) return power;
    for (int i = kept; i > 0; i--) digits[i] = digits[i - 1];
    digits[0] = 1;
    *count = kept + 1;
    return power + 1;
}
static void magneto_put_digits(struct magneto_text *t, const char *digits, int count, long from, long many) {
    for (long i = from; i < from + many; i++) magneto_put(t, '0' + (i >= 0 && i < count ? digits[i] : 0), 1);
}
struct magneto_form {
    int left, plus, space, hash, zero;
    long width, precision;
};
static void magneto_pad(struct magneto_text *t, const struct magneto_form *f, int is_before, int is_zero, long length) {
    int is_here = is_before ? (is_zero ? f->zero && !f->left : !f->left && !f->zero) : f->left;
    if (is_here && !(is_before && is_zero != (f->zero && !f->left))) magneto_put(t, is_before && is_zero ? '0' : ' ', f->width - length);
}
static void magneto_put_float(struct magneto_text *t, struct magneto_form *f, int c, double x) {
    char digits[810];
    int upper = c < 'a', kind = c | 32, count = 0, negative = (int)(__builtin_bit_cast(unsigned long, x) >> 63);
    int sign = negative ? '-' : f->plus ? '+' : f->space ? ' ' : 0;
    if (x != x || __builtin_isinf(x)) {
        const char *word = x != x ? upper ? "NAN" : "nan" : upper ? "INF" : "inf";
        f->zero = 0;
        magneto_pad(t, f, 1, 0, 3 + (sign != 0));
        magneto_put(t, sign, sign != 0);
        for (; *word; word++) magneto_put(t, *word, 1);
        magneto_pad(t, f, 0, 0, 3 + (sign != 0));
        return;
    }
    long p = f->precision < 0 ? 6 : f->precision;
    int power = magneto_digits(x, digits, &count), is_general = kind == 'g';
    if (is_general) {
        p = p ? p : 1;
        power = magneto_keep(digits, &count, power, p);
        long exponent = count ? power - 1 : 0;
        kind = exponent < -4 || exponent >= p ? 'e' : 'f';
        p = kind == 'e' ? p - 1 : p - 1 - exponent;
        if (!f->hash) {
            while (count && !digits[count - 1]) count--;
            long needed = kind == 'e' ? count - 1 : count - power;
            p = needed < 0 || !count ? 0 : needed < p ? needed : p;
        }
    } else power = magneto_keep(digits, &count, power, kind == 'e' ? p + 1 : p + power);
    if (!count) power = kind == 'e' || is_general ? 1 : 0;
    int exponent = power - 1, size = exponent < 0 ? -exponent : exponent, has_point = p > 0 || f->hash;
    long whole = kind == 'e' ? 1 : power > 0 ? power : 1, length = (sign != 0) + whole + has_point + p + (kind == 'e' ? size > 99 ? 5 : 4 : 0);
    long from = kind == 'e' ? 0 : power > 0 ? 0 : power - 1;
    magneto_pad(t, f, 1, 0, length);
    magneto_put(t, sign, sign != 0);
    magneto_pad(t, f, 1, 1, length);
    magneto_put_digits(t, digits, count, from, whole);
    magneto_put(t, '.', has_point);
    magneto_put_digits(t, digits, count, from + whole, p);
    if (kind == 'e') {
        magneto_put(t, upper ? 'E' : 'e', 1);
        magneto_put(t, exponent < 0 ? '-' : '+', 1);
        if (size > 99) magneto_put(t, '0' + size / 100, 1);
        magneto_put(t, '0' + size / 10 % 10, 1);
        magneto_put(t, '0' + size % 10, 1);
    }
    magneto_pad(t, f, 0, 0, length);
}
static void magneto_put_integer(struct magneto_text *t, struct magneto_form *f, int c, unsigned long n, int negative) {
    char digits[24];
    unsigned long base = c == 'o' ? 8 : (c | 32) == 'x' ? 16 : 10;
    long count = 0, is_signed = c == 'd' || c == 'i', is_hex = base == 16 && f->hash && n;
    int sign = !is_signed ? 0 : negative ? '-' : f->plus ? '+' : f->space ? ' ' : 0, is_zero = !n;
    for (; n; n /= base) digits[count++] = (c == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[n % base];
    if (is_zero && f->precision) digits[count++] = '0';
    if (f->precision >= 0) f->zero = 0;
    long zeros = f->precision > count ? f->precision - count : 0;
    if (base == 8 && f->hash && !zeros && (!count || digits[count - 1] != '0')) zeros = 1;
    long length = (sign != 0) + 2 * is_hex + zeros + count;
    magneto_pad(t, f, 1, 0, length);
    magneto_put(t, sign, sign != 0);
    if (is_hex) magneto_put(t, '0', 1), magneto_put(t, c, 1);
    magneto_pad(t, f, 1, 1, length);
    magneto_put(t, '0', zeros);
    while (count) magneto_put(t, digits[--count], 1);
    magneto_pad(t, f, 0, 0, length);
}
// Each argument has eight bytes.
static const char *magneto_argument(const char **at) {
    const char *here = *at;
    *at = here + 8;
    return here;
}
static int magneto_printed(char *to, unsigned long room, const char *format, const char *at) {
    struct magneto_text t = {to, room ? room - 1 : 0, 0};
    for (; *format; format++) {
        if (*format != '%') {
            magneto_put(&t, *format, 1);
            continue;
        }
        struct magneto_form f = {0, 0, 0, 0, 0, 0, -1};
        for (format++;; format++)
            if (*format == '-') f.left = 1;
            else if (*format == '+') f.plus = 1;
            else if (*format == ' ') f.space = 1;
            else if (*format == '#') f.hash = 1;
            else if (*format == '0') f.zero = 1;
            else break;
        if (*format == '*') {
            f.width = *(const int *)magneto_argument(&at), format++;
            if (f.width < 0) f.left = 1, f.width = -f.width;
        } else for (; *format >= '0' && *format <= '9'; format++) f.width = 10 * f.width + (*format - '0');
        if (*format == '.') {
            f.precision = 0;
            if (*++format == '*') f.precision = *(const int *)magneto_argument(&at), format++;
            else for (; *format >= '0' && *format <= '9'; format++) f.precision = 10 * f.precision + (*format - '0');
            if (f.precision < 0) f.precision = -1;
        }
        int bytes = 4;
        for (;; format++)
            if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't') bytes = 8;
            else if (*format == 'h') bytes = bytes == 2 ? 1 : 2;
            else break;
        int c = *format;
        if (c == '%') magneto_put(&t, c, 1);
        else if (c == 'd' || c == 'i') {
            const char *p = magneto_argument(&at);
            long n = bytes == 8 ? *(const long *)p : bytes == 4 ? *(const int *)p : bytes == 2 ? (short)*(const int *)p : (signed char)*(const int *)p;
            magneto_put_integer(&t, &f, c, n < 0 ? -(unsigned long)n : (unsigned long)n, n < 0);
        } else if (c == 'u' || c == 'x' || c == 'X' || c == 'o') {
            const char *p = magneto_argument(&at);
            unsigned long n = bytes == 8 ? *(const unsigned long *)p : *(const unsigned *)p & (bytes == 4 ? ~0U : bytes == 2 ? 0xffffU : 0xffU);
            magneto_put_integer(&t, &f, c, n, 0);
        } else if (c == 'e' || c == 'E' || c == 'f' || c == 'F' || c == 'g' || c == 'G') {
            magneto_put_float(&t, &f, c, *(const double *)magneto_argument(&at));
        } else if (c == 'c' && bytes == 4) {
            f.zero = 0;
            magneto_pad(&t, &f, 1, 0, 1);
            magneto_put(&t, *(const int *)magneto_argument(&at), 1);
            magneto_pad(&t, &f, 0, 0, 1);
        } else if (c == 's' && bytes == 4) {
            const char *s = *(const char *const *)magneto_argument(&at);
            long length = 0;
            while ((f.precision < 0 || length < f.precision) && s[length]) length++;
            f.zero = 0;
            magneto_pad(&t, &f, 1, 0, length);
            for (long i = 0; i < length; i++) magneto_put(&t, s[i], 1);
            magneto_pad(&t, &f, 0, 0, length);
        } else __builtin_trap(); // Another conversion is not followed.
    }
    if (room) to[t.length < room - 1 ? t.length : room - 1] = 0;
    return (int)t.length;
}
MAGNETO_OWN int snprintf(char *to, unsigned long room, const char *format, const char *rest) { return magneto_printed(to, room, format, rest); }
MAGNETO_OWN int sprintf(char *to, const char *format, const char *rest) { return magneto_printed(to, ~0UL, format, rest); }
// What is written to streams is lost.
MAGNETO_OWN int printf(const char *format, const char *rest) { return magneto_printed(0, 0, format, rest); }
MAGNETO_OWN int fprintf(void *stream, const char *format, const char *rest) { return magneto_printed(0, 0, format, rest); }
// A list of arguments of x86-64: two offsets in registers, where those beyond them lie, and where registers are kept.
struct magneto_list { unsigned offsets[2]; const char *rest; char *registers; };
MAGNETO_OWN int vsnprintf(char *to, unsigned long room, const char *format, struct magneto_list *list) { return magneto_printed(to, room, format, list->rest); }
MAGNETO_OWN int vsprintf(char *to, const char *format, struct magneto_list *list) { return magneto_printed(to, ~0UL, format, list->rest); }
MAGNETO_OWN int vprintf(const char *format, struct magneto_list *list) { return magneto_printed(0, 0, format, list->rest); }
MAGNETO_OWN int vfprintf(void *stream, const char *format, struct magneto_list *list) { return magneto_printed(0, 0, format, list->rest); }
