// Values from text, as glibc reads them in the locale in which programs begin. Where what follows a format leads is written.
static double magneto_float(const char *s, char **end, int precision, int least, int most);
static unsigned long magneto_integer(const char *s, char **end, int base, int is_signed, int has_binary);
static int magneto_is_space(int c) { return c == ' ' || (c >= 9 && c <= 13); }
static int magneto_hex_digit(int c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f'); }
enum { MAGNETO_TOKEN = 400 };
// How many of the first characters are an integer; none where there is none.
static int magneto_integer_length(const char *s, int room, int base, int has_binary) {
    int n = room > 0 && (*s == '-' || *s == '+'), first = n, mark;
    if (n < room && s[n] == '0' && n + 1 < room) {
        mark = s[n + 1] | 32;
        if ((mark == 'x' && (base == 0 || base == 16)) || (has_binary && mark == 'b' && (base == 0 || base == 2))) {
            // glibc takes the prefix without digits for 0.
            if (n + 2 >= room || !magneto_hex_digit(s[n + 2])) __builtin_trap();
            base = mark == 'x' ? 16 : 2, n += 2, first = n;
        }
    }
    if (base == 0) base = n < room && s[n] == '0' ? 8 : 10;
    for (; n < room; n++) {
        int c = s[n], digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : 99;
        if (digit >= base) break;
    }
    return n > first ? n : 0;
}
// The same for a float.
static int magneto_float_length(const char *s, int room) {
    static const char *const words[2] = {"infinity", "nan"};
    int n = room > 0 && (*s == '-' || *s == '+'), digits = 0, is_hex = 0, k;
    for (int w = 0; w < 2; w++)
        if (n < room && (s[n] | 32) == words[w][0]) {
            for (k = 0; words[w][k] && n + k < room && (s[n + k] | 32) == words[w][k]; k++)
                ;
            if (w == 1 && k == 3 && n + 3 < room && s[n + 3] == '(') __builtin_trap();
            return k == 3 || (w == 0 && k == 8) ? n + k : 0;
        }
    if (n + 1 < room && s[n] == '0' && (s[n + 1] | 32) == 'x') is_hex = 1, n += 2;
    for (; n < room && ((s[n] >= '0' && s[n] <= '9') || (is_hex && magneto_hex_digit(s[n]))); n++) digits++;
    if (n < room && s[n] == '.')
        for (n++; n < room && ((s[n] >= '0' && s[n] <= '9') || (is_hex && magneto_hex_digit(s[n]))); n++) digits++;
    if (!digits && is_hex) __builtin_trap();
    if (!digits) return 0;
    if (n < room && (s[n] | 32) == (is_hex ? 'p' : 'e')) {
        n++;
        if (n < room && (s[n] == '-' || s[n] == '+')) n++;
        for (k = n; n < room && s[n] >= '0' && s[n] <= '9'; n++)
            ;
        // glibc takes what stands before it, and C has no number there; `0x` alone likewise.
        if (n == k) __builtin_trap();
    }
    return n;
}
// Whether a character is in a set that stands behind `[`.
static int magneto_is_of(int c, const char *set, int length) {
    int is_other = set[0] == '^';
    for (int k = is_other; k < length; k++)
        if (k + 2 < length && set[k + 1] == '-') {
            // What other orders and chains of ranges mean is up to the library.
            if ((unsigned char)set[k] > (unsigned char)set[k + 2] || (k + 4 < length && set[k + 3] == '-')) __builtin_trap();
            if ((unsigned char)set[k] <= c && c <= (unsigned char)set[k + 2]) return !is_other;
            k += 2;
        } else if (c == (unsigned char)set[k]) return !is_other;
    return is_other;
}
static int magneto_scanned(const char *s, const char *format, const char *at, int has_binary) {
    const char *from = s;
    int count = 0;
    for (; *format; format++) {
        if (magneto_is_space(*format)) {
            while (magneto_is_space(*s)) s++;
            continue;
        }
        if (*format != '%') {
            if (!*s) return count ? count : -1;
            if (*s++ != *format) return count;
            continue;
        }
        int is_lost = *++format == '*', width = 0, bytes = 4, length = 0;
        if (is_lost) format++;
        for (; *format >= '0' && *format <= '9'; format++) width = 10 * width + (*format - '0');
        for (;; format++)
            if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't') bytes = 8;
            else if (*format == 'h') bytes = bytes == 2 ? 1 : 2;
            else break;
        int c = *format;
        if (c == 'n') {
            if (!is_lost) {
                void *to = *(void *const *)magneto_argument(&at);
                if (bytes == 8) *(long *)to = s - from;
                else if (bytes == 4) *(int *)to = (int)(s - from);
                else __builtin_trap();
            }
            continue;
        }
        if (c != 'c' && c != '[')
            while (magneto_is_space(*s)) s++;
        if (c == '%') {
            if (!*s) return count ? count : -1;
            if (*s++ != '%') return count;
            continue;
        }
        if (!*s) return count ? count : -1;
        if (c == 'c' || c == 's' || c == '[') {
            const char *set = format + 1;
            int size = 0;
            if (bytes == 8) __builtin_trap();
            if (c == 'c' && !width) width = 1;
            if (c == '[') {
                size = set[0] == '^';
                if (set[size]) size++;
                while (set[size] && set[size] != ']') size++;
                if (!set[size]) __builtin_trap();
                format += size + 1;
            }
            while (s[length] && (!width || length < width) && (c == 'c' || (c == 's' ? !magneto_is_space(s[length]) : magneto_is_of((unsigned char)s[length], set, size)))) length++;
            if (!length) return count;
            if (!is_lost) {
                char *to = *(char *const *)magneto_argument(&at);
                for (int k = 0; k < length; k++) to[k] = s[k];
                if (c != 'c') to[length] = 0;
                count++;
            }
            s += length;
            continue;
        }
        char token[MAGNETO_TOKEN];
        int is_float = c == 'e' || c == 'E' || c == 'f' || c == 'F' || c == 'g' || c == 'G' || c == 'a' || c == 'A', room = 0;
        int base = c == 'd' || c == 'u' ? 10 : c == 'x' || c == 'X' ? 16 : c == 'o' ? 8 : 0;
        if (!is_float && !base && c != 'i') __builtin_trap(); // Another conversion is not followed.
        while (s[room] && !magneto_is_space(s[room]) && (!width || room < width) && room < MAGNETO_TOKEN) room++;
        length = is_float ? magneto_float_length(s, room) : magneto_integer_length(s, room, base, has_binary);
        if (length == MAGNETO_TOKEN) __builtin_trap();
        if (!length) return count;
        for (int k = 0; k < length; k++) token[k] = s[k];
        token[length] = 0;
        s += length;
        // What is lost may set `errno`, too.
        double x = !is_float ? 0 : bytes == 8 ? magneto_float(token, 0, 53, -1074, 1024) : magneto_float(token, 0, 24, -149, 128);
        unsigned long n = is_float ? 0 : magneto_integer(token, 0, base, c == 'd' || c == 'i', has_binary);
        if (is_lost) continue;
        void *to = *(void *const *)magneto_argument(&at);
        if (is_float) {
            if (bytes == 8) *(double *)to = x;
            else *(float *)to = (float)x;
        } else {
            if (bytes == 8) *(unsigned long *)to = n;
            else if (bytes == 4) *(unsigned *)to = (unsigned)n;
            else if (bytes == 2) *(unsigned short *)to = (unsigned short)n;
            else *(unsigned char *)to = (unsigned char)n;
        }
        count++;
    }
    return count;
}
MAGNETO_OWN int sscanf(const char *s, const char *format, const char *rest) { return magneto_scanned(s, format, rest, 0); }
MAGNETO_OWN int __isoc99_sscanf(const char *s, const char *format, const char *rest) { return magneto_scanned(s, format, rest, 0); }
MAGNETO_OWN int __isoc23_sscanf(const char *s, const char *format, const char *rest) { return magneto_scanned(s, format, rest, 1); }
MAGNETO_OWN int vsscanf(const char *s, const char *format, struct magneto_list *list) { return magneto_scanned(s, format, list->rest, 0); }
MAGNETO_OWN int __isoc99_vsscanf(const char *s, const char *format, struct magneto_list *list) { return magneto_scanned(s, format, list->rest, 0); }
MAGNETO_OWN int __isoc23_vsscanf(const char *s, const char *format, struct magneto_list *list) { return magneto_scanned(s, format, list->rest, 1); }
