/* Functions of <string.h>, <strings.h>, <stdlib.h> and <ctype.h>, as glibc has them in the locale in which programs begin. Each one
   stands under a line with its name, and is compiled where it is used. */

/* memccpy */
void *memccpy(void *to, const void *from, int c, unsigned long n)
{
    unsigned char *p = to;
    const unsigned char *s = from;
    for (; n; n--)
        if ((*p++ = *s++) == (unsigned char)c)
            return p;
    return 0;
}

/* mempcpy */
void *memcpy(void *, const void *, unsigned long);
void *mempcpy(void *to, const void *from, unsigned long n) { return (char *)memcpy(to, from, n) + n; }

/* memrchr */
void *memrchr(const void *p, int c, unsigned long n)
{
    const unsigned char *s = p;
    while (n--)
        if (s[n] == (unsigned char)c)
            return (void *)(s + n);
    return 0;
}

/* memmem */
void *memmem(const void *p, unsigned long n, const void *q, unsigned long m)
{
    const char *s = p, *sought = q;
    for (unsigned long i = 0; i + m <= n; i++) {
        unsigned long k = 0;
        while (k < m && s[i + k] == sought[k])
            k++;
        if (k == m)
            return (void *)(s + i);
    }
    return 0;
}

/* rawmemchr */
void *rawmemchr(const void *p, int c)
{
    const unsigned char *s = p;
    while (*s != (unsigned char)c)
        s++;
    return (void *)s;
}

/* bcmp */
int bcmp(const void *p, const void *q, unsigned long n)
{
    const unsigned char *a = p, *b = q;
    for (; n; n--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}

/* bzero */
void *memset(void *, int, unsigned long);
void bzero(void *p, unsigned long n) { memset(p, 0, n); }

/* stpcpy */
char *stpcpy(char *to, const char *s)
{
    while ((*to = *s++))
        to++;
    return to;
}

/* stpncpy */
char *stpncpy(char *to, const char *s, unsigned long n)
{
    unsigned long i = 0, end;
    for (; i < n && s[i]; i++)
        to[i] = s[i];
    for (end = i; i < n; i++)
        to[i] = 0;
    return to + end;
}

/* strchrnul */
char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

/* index */
char *index(const char *s, int c)
{
    for (; *s != (char)c; s++)
        if (!*s)
            return 0;
    return (char *)s;
}

/* rindex */
char *rindex(const char *s, int c)
{
    const char *last = 0;
    do
        if (*s == (char)c)
            last = s;
    while (*s++);
    return (char *)last;
}

/* strcasecmp */
static int magneto_lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int strcasecmp(const char *a, const char *b)
{
    while (*a && magneto_lower(*a) == magneto_lower(*b))
        a++, b++;
    return magneto_lower(*a) - magneto_lower(*b);
}

/* strncasecmp */
static int magneto_lower_of(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int strncasecmp(const char *a, const char *b, unsigned long n)
{
    for (; n; n--, a++, b++)
        if (magneto_lower_of(*a) != magneto_lower_of(*b) || !*a)
            return magneto_lower_of(*a) - magneto_lower_of(*b);
    return 0;
}

/* strcasestr */
static int magneto_lowered(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
char *strcasestr(const char *s, const char *sought)
{
    for (;; s++) {
        unsigned long k = 0;
        while (sought[k] && magneto_lowered(s[k]) == magneto_lowered(sought[k]))
            k++;
        if (!sought[k])
            return (char *)s;
        if (!*s)
            return 0;
    }
}

/* strcoll */
int strcoll(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

/* strxfrm */
unsigned long strxfrm(char *to, const char *s, unsigned long n)
{
    unsigned long length = 0;
    for (; s[length]; length++)
        if (length < n)
            to[length] = s[length];
    if (length < n)
        to[length] = 0;
    return length;
}

/* strdup */
void *magneto_allocate(unsigned long);
char *strdup(const char *s)
{
    unsigned long n = 0;
    char *to;
    while (s[n++])
        ;
    to = magneto_allocate(n);
    for (unsigned long i = 0; to && i < n; i++)
        to[i] = s[i];
    return to;
}

/* strndup */
void *magneto_allocate(unsigned long);
char *strndup(const char *s, unsigned long most)
{
    unsigned long n = 0;
    char *to;
    while (n < most && s[n])
        n++;
    to = magneto_allocate(n + 1);
    for (unsigned long i = 0; to && i < n; i++)
        to[i] = s[i];
    if (to)
        to[n] = 0;
    return to;
}

/* strtok_r */
static int magneto_is_in(char c, const char *set)
{
    for (; *set; set++)
        if (c == *set)
            return 1;
    return 0;
}
char *strtok_r(char *s, const char *set, char **rest)
{
    char *from = s ? s : *rest;
    while (*from && magneto_is_in(*from, set))
        from++;
    for (s = from; *s && !magneto_is_in(*s, set); s++)
        ;
    *rest = s;
    if (s == from)
        return 0;
    if (*s)
        *s = 0, *rest = s + 1;
    return from;
}

/* strtok */
static char *magneto_rest_of_text;
static int magneto_ends(char c, const char *set)
{
    for (; *set; set++)
        if (c == *set)
            return 1;
    return 0;
}
char *strtok(char *s, const char *set)
{
    char *from = s ? s : magneto_rest_of_text;
    while (*from && magneto_ends(*from, set))
        from++;
    for (s = from; *s && !magneto_ends(*s, set); s++)
        ;
    magneto_rest_of_text = s;
    if (s == from)
        return 0;
    if (*s)
        *s = 0, magneto_rest_of_text = s + 1;
    return from;
}

/* strsep */
char *strsep(char **at, const char *set)
{
    char *from = *at;
    if (!from)
        return 0;
    for (char *s = from;; s++)
        for (const char *c = set;; c++)
            if (*s == *c) {
                *at = *s ? s + 1 : 0;
                *s = 0;
                return from;
            } else if (!*c)
                break;
}

/* ffs */
int ffs(int n) { return __builtin_ffs(n); }

/* ffsl */
int ffsl(long n) { return __builtin_ffsl(n); }

/* ffsll */
int ffsll(long long n) { return __builtin_ffsll(n); }

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
void *magneto_allocate(unsigned long);
void *aligned_alloc(unsigned long to, unsigned long n)
{
    /* Pieces begin at multiples of 16. */
    if (to > 16)
        __builtin_trap();
    return magneto_allocate(n);
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

/* isblank */
int isblank(int c) { return c == ' ' || c == 9 ? 1 : 0; }

/* iscntrl */
int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127 ? 2 : 0; }

/* isgraph */
int isgraph(int c) { return c > 32 && c < 127 ? 32768 : 0; }

/* isascii */
int isascii(int c) { return (c & ~127) == 0; }

/* toascii */
int toascii(int c) { return c & 127; }

/* __ctype_tolower_loc */
static int magneto_to_lower[384];
static const int *magneto_lower_table;
const int **__ctype_tolower_loc(void)
{
    for (int c = -128; c < 256; c++)
        magneto_to_lower[c + 128] = c >= 'A' && c <= 'Z' ? c + 32 : c < -1 ? c + 256 : c;
    magneto_lower_table = magneto_to_lower + 128;
    return &magneto_lower_table;
}

/* __ctype_toupper_loc */
static int magneto_to_upper[384];
static const int *magneto_upper_table;
const int **__ctype_toupper_loc(void)
{
    for (int c = -128; c < 256; c++)
        magneto_to_upper[c + 128] = c >= 'a' && c <= 'z' ? c - 32 : c < -1 ? c + 256 : c;
    magneto_upper_table = magneto_to_upper + 128;
    return &magneto_upper_table;
}

/* posix_memalign */
int magneto_errno;
void *magneto_allocate(unsigned long);
int posix_memalign(void **at, unsigned long to, unsigned long n)
{
    if (to < 8 || to & (to - 1))
        return 22;
    /* Pieces begin at multiples of 16. */
    if (to > 16)
        __builtin_trap();
    void *p = magneto_allocate(n);
    if (!p)
        return 12;
    *at = p;
    return 0;
}

/* mbtowc */
/* In the locale in which programs begin a character is a byte below 128, in texts of both kinds. */
int magneto_errno;
static int magneto_is_other(unsigned c)
{
    if (c < 128)
        return 0;
    magneto_errno = 84;
    return 1;
}
__attribute__((weak)) int mbtowc(int *to, const char *s, unsigned long n)
{
    if (!s)
        return 0;
    if (!n || magneto_is_other((unsigned char)*s))
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
