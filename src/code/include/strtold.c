// `long double` of 64 bits of precision from text, as glibc reads it in the locale in which programs begin: the nearest one, ties to even.
#if __LDBL_MANT_DIG__ == 64
// What lies half-way between two of them has up to 11515 digits, and numbers of so many digits have up to 1210 words.
enum { MAGNETO_WIDE_DIGITS = 11600, MAGNETO_WIDE_WORDS = 1260 };
long double magneto_wide_rounded(int sign, int exponent, unsigned long m, unsigned long rest);
MAGNETO_OWN long double strtold(const char *s, char **end) {
    const unsigned long top = 1UL << 63;
    unsigned words[MAGNETO_WIDE_WORDS], others[MAGNETO_WIDE_WORDS];
    struct magneto_bounds bounds = {MAGNETO_WIDE_DIGITS, 4940, -4960};
    struct magneto_read r = magneto_read(s, end, words, others, bounds);
    // The exponent of the leading bit with the bias; an infinity is what is larger than all, and a tiny number is less than half of the least.
    int exponent = r.e + 63 + 16383;
    if (r.kind == MAGNETO_NONE) return r.is_negative ? -__builtin_nanl("") : __builtin_nanl("");
    if (r.kind == MAGNETO_INFINITE) return magneto_wide_rounded(r.is_negative, 0x7fff, top, 0);
    if (r.kind != MAGNETO_NUMBER) r.m = top, r.rest = 1, exponent = r.kind == MAGNETO_HUGE ? 0x7fff : -100;
    if (!r.m) return r.is_negative ? -0.0L : 0.0L;
    for (; !(r.m & top); exponent--) r.m = r.m << 1 | r.rest >> 63, r.rest <<= 1;
    if (r.rest == top && magneto_is_cut_twice(r.m, 1 - exponent)) __builtin_trap();
    // Whether rounding gives the next power of two; tiny is what is below the least normal number after it.
    int goes_up = r.m == ~0UL && r.rest >= top, lost = 1 - exponent;
    int is_inexact = r.rest || (lost > 0 && (lost > 63 || r.m << (64 - lost)));
    if (exponent + goes_up >= 0x7fff || (exponent + goes_up <= 0 && is_inexact)) magneto_errno = 34;
    return magneto_wide_rounded(r.is_negative, exponent, r.m, r.rest);
}
#endif
