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
