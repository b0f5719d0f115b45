/* Inline assembly of which is known what it computes. */
#ifdef __x86_64__
static int leading(unsigned long x)
{
    __asm__("bsr %1,%0 ; xor $63,%0" : "=r"(x) : "r"(x));
    return x;
}

static int trailing(unsigned x)
{
    __asm__("bsf %1,%0" : "=r"(x) : "r"(x));
    return x;
}
#else
static int leading(unsigned long x) { return __builtin_clzl(x); }
static int trailing(unsigned x) { return __builtin_ctz(x); }
#endif

int bits_that_are_set(unsigned long x, unsigned y)
{
    if (!x || !y)
        return 0;
    if (leading(x) == 7)
        return 1;
    if (leading(x) + trailing(y) == 70)
        return 2;
    return trailing(y);
}

/* What the instructions leave of 0 is not known. */
int bits_of_any(unsigned x)
{
    if (trailing(x) > 31)
        return 1;
    return 0;
}
