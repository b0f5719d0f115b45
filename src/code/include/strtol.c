// Integers from text, as glibc reads them in the locale in which programs begin. `b` in a name: prefixes `0b` count.
int magneto_errno;
// Code may define some of these itself.
#define MAGNETO_OWN __attribute__((weak))
static unsigned long magneto_integer(const char *s, char **end, int base, int is_signed, int has_binary) {
    const char *at = s;
    if (base < 0 || base == 1 || base > 36) {
        magneto_errno = 22;
        return 0;
    }
    while (*at == ' ' || (*at >= 9 && *at <= 13)) at++;
    int negative = *at == '-';
    if (*at == '-' || *at == '+') at++;
    int mark = at[0] == '0' ? at[1] | 32 : 0, next = mark ? at[2] : 0;
    int is_hex = (next >= '0' && next <= '9') || ((next | 32) >= 'a' && (next | 32) <= 'f');
    if (mark == 'x' && is_hex && (base == 0 || base == 16)) at += 2, base = 16;
    else if (has_binary && mark == 'b' && (next == '0' || next == '1') && (base == 0 || base == 2)) at += 2, base = 2;
    else if (base == 0) base = at[0] == '0' ? 8 : 10;
    unsigned long n = 0, most = is_signed ? 0x7fffffffffffffffUL + (unsigned long)negative : ~0UL;
    int is_over = 0, has_digits = 0;
    for (;; at++, has_digits = 1) {
        int c = *at, digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99;
        if (digit >= base) break;
        if (is_over || n > (most - (unsigned long)digit) / (unsigned long)base) is_over = 1;
        else n = n * (unsigned long)base + (unsigned long)digit;
    }
    if (end) *end = (char *)(has_digits ? at : s);
    if (is_over) {
        magneto_errno = 34;
        return most;
    }
    return negative ? -n : n;
}
MAGNETO_OWN long strtol(const char *s, char **end, int base) { return (long)magneto_integer(s, end, base, 1, 0); }
MAGNETO_OWN long long strtoll(const char *s, char **end, int base) { return (long long)magneto_integer(s, end, base, 1, 0); }
MAGNETO_OWN long strtoimax(const char *s, char **end, int base) { return (long)magneto_integer(s, end, base, 1, 0); }
MAGNETO_OWN unsigned long strtoul(const char *s, char **end, int base) { return magneto_integer(s, end, base, 0, 0); }
MAGNETO_OWN unsigned long long strtoull(const char *s, char **end, int base) { return magneto_integer(s, end, base, 0, 0); }
MAGNETO_OWN unsigned long strtoumax(const char *s, char **end, int base) { return magneto_integer(s, end, base, 0, 0); }
MAGNETO_OWN long __isoc23_strtol(const char *s, char **end, int base) { return (long)magneto_integer(s, end, base, 1, 1); }
MAGNETO_OWN long long __isoc23_strtoll(const char *s, char **end, int base) { return (long long)magneto_integer(s, end, base, 1, 1); }
MAGNETO_OWN unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return magneto_integer(s, end, base, 0, 1); }
MAGNETO_OWN unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return magneto_integer(s, end, base, 0, 1); }
MAGNETO_OWN int atoi(const char *s) { return (int)magneto_integer(s, 0, 10, 1, 0); }
MAGNETO_OWN long atol(const char *s) { return (long)magneto_integer(s, 0, 10, 1, 0); }
MAGNETO_OWN long long atoll(const char *s) { return (long long)magneto_integer(s, 0, 10, 1, 0); }
