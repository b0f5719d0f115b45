/* Functions of <stdlib.h> that are none of texts or random numbers, and of <time.h>, as glibc has them in the locale in which programs
   begin. Each one, or those that stand together, under a line with the name. */

/* div */
struct magneto_div { int quot, rem; };
struct magneto_div div(int a, int b) { return (struct magneto_div){a / b, a % b}; }

/* ldiv */
struct magneto_ldiv { long quot, rem; };
struct magneto_ldiv ldiv(long a, long b) { return (struct magneto_ldiv){a / b, a % b}; }

/* lldiv */
struct magneto_lldiv { long long quot, rem; };
struct magneto_lldiv lldiv(long long a, long long b) { return (struct magneto_lldiv){a / b, a % b}; }

/* imaxdiv */
struct magneto_imaxdiv { long quot, rem; };
struct magneto_imaxdiv imaxdiv(long a, long b) { return (struct magneto_imaxdiv){a / b, a % b}; }

/* atexit */
int atexit(void (*f)(void)) { return 0; }

/* aligned_alloc */
void *magneto_allocate_aligned(unsigned long, unsigned long);
void *aligned_alloc(unsigned long to, unsigned long n)
{
    /* What other numbers mean differs between libraries. */
    if (!to || to & (to - 1))
        __builtin_trap();
    return magneto_allocate_aligned(to, n);
}

/* memalign */
void *magneto_allocate_aligned(unsigned long, unsigned long);
void *memalign(unsigned long to, unsigned long n)
{
    if (!to || to & (to - 1))
        __builtin_trap();
    return magneto_allocate_aligned(to, n);
}

/* posix_memalign */
void *magneto_allocate_aligned(unsigned long, unsigned long);
int posix_memalign(void **at, unsigned long to, unsigned long n)
{
    if (to < 8 || to & (to - 1))
        return 22;
    void *p = magneto_allocate_aligned(to, n);
    if (!p)
        return 12;
    *at = p;
    return 0;
}

/* reallocarray */
int magneto_errno;
void *magneto_reallocate(void *, unsigned long);
void *reallocarray(void *p, unsigned long n, unsigned long size)
{
    if (size && n > ~0UL / size) {
        magneto_errno = 12;
        return 0;
    }
    return magneto_reallocate(p, n * size);
}

/* difftime */
double difftime(long a, long b)
{
    return a < b ? -(double)((unsigned long)b - (unsigned long)a) : (double)((unsigned long)a - (unsigned long)b);
}

/* mbtowc */
/* In the locale in which programs begin a character is a byte below 128, in texts of both kinds; of others nothing is promised. */
int magneto_errno;
unsigned long magneto_unsaid(void);
static int magneto_is_other(unsigned c)
{
    if (c < 128)
        return 0;
    magneto_errno = 84;
    return 1 + (int)magneto_unsaid();
}
__attribute__((weak)) int mbtowc(int *to, const char *s, unsigned long n)
{
    if (!s)
        return 0;
    /* An end counts for one wherever it stands. */
    if (*s && (!n || magneto_is_other((unsigned char)*s)))
        return -1;
    if (to)
        *to = *s;
    return *s != 0;
}
__attribute__((weak)) int mblen(const char *s, unsigned long n) { return mbtowc(0, s, n); }
__attribute__((weak)) int wctomb(char *to, int c)
{
    if (!to)
        return 0;
    if (magneto_is_other((unsigned)c))
        return -1;
    *to = (char)c;
    return 1;
}
__attribute__((weak)) unsigned long mbstowcs(int *to, const char *s, unsigned long n)
{
    unsigned long k = 0;
    for (; !to || k < n; k++) {
        if (magneto_is_other((unsigned char)s[k]))
            return ~0ul;
        if (to)
            to[k] = s[k];
        if (!s[k])
            break;
    }
    return k;
}
__attribute__((weak)) unsigned long wcstombs(char *to, const int *s, unsigned long n)
{
    unsigned long k = 0;
    for (; !to || k < n; k++) {
        if (magneto_is_other((unsigned)s[k]))
            return ~0ul;
        if (to)
            to[k] = (char)s[k];
        if (!s[k])
            break;
    }
    return k;
}

/* __ctype_get_mb_cur_max */
unsigned long __ctype_get_mb_cur_max(void) { return 1; }
