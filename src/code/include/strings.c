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

/* nan */
/* A number is what the NaN carries. */
static unsigned long magneto_payload(const char *s)
{
    unsigned long n = 0, base = *s != '0' ? 10 : (s[1] | 32) == 'x' && s[2] ? 16 : 8;
    for (s += base == 16 ? 2 : 0; *s; s++) {
        unsigned long digit = *s >= '0' && *s <= '9'                   ? (unsigned long)*s - '0'
                              : (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (unsigned long)(*s | 32) - 'a' + 10
                                                                       : 99;
        if (digit >= base)
            return 0;
        n = n > (~0UL - digit) / base ? ~0UL : n * base + digit;
    }
    return n;
}
__attribute__((weak)) double nan(const char *s)
{
    union { unsigned long bits; double x; } u = {0x7ff8000000000000 | (magneto_payload(s) & 0x7ffffffffffff)};
    return u.x;
}
__attribute__((weak)) float nanf(const char *s)
{
    union { unsigned bits; float x; } u = {0x7fc00000 | (unsigned)(magneto_payload(s) & 0x3fffff)};
    return u.x;
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

/* srand */
/* glibc's generator: each number is the sum of those 3 and 31 before it; the first ones are of the one of Park and Miller. */
static unsigned magneto_numbers[31];
static int magneto_next_number = -1;
static unsigned magneto_number(void)
{
    int k = magneto_next_number;
    unsigned sum = magneto_numbers[k] += magneto_numbers[k < 3 ? k + 28 : k - 3];
    magneto_next_number = k == 30 ? 0 : k + 1;
    return sum;
}
__attribute__((weak)) void srand(unsigned seed)
{
    int n = seed ? (int)seed : 1;
    for (int i = 0; i < 31; i++) {
        magneto_numbers[i] = (unsigned)n;
        n = 16807 * (n % 127773) - 2836 * (n / 127773);
        if (n < 0)
            n += 2147483647;
    }
    magneto_next_number = 3;
    for (int i = 0; i < 310; i++)
        magneto_number();
}
__attribute__((weak)) void srandom(unsigned seed) { srand(seed); }
__attribute__((weak)) int rand(void)
{
    if (magneto_next_number < 0)
        srand(1);
    return (int)(magneto_number() >> 1);
}
__attribute__((weak)) long random(void) { return rand(); }

/* rand_r */
/* glibc's: a generator of Knuth's, of which three numbers make one. */
int rand_r(unsigned *seed)
{
    unsigned next = *seed, result = 0;
    for (int i = 0; i < 3; i++) {
        next = next * 1103515245 + 12345;
        result = result << 10 ^ next / 65536 % (i ? 1024 : 2048);
    }
    *seed = next;
    return (int)result;
}

/* nexttoward */
double nextafter(double, double);
double nexttoward(double x, long double y)
{
    if (x != x || y != y)
        return x + (double)y;
    return x == y ? (double)y : nextafter(x, x < y ? __builtin_inf() : -__builtin_inf());
}

/* nexttowardf */
float nextafterf(float, float);
float nexttowardf(float x, long double y)
{
    if (x != x || y != y)
        return x + (float)y;
    return x == y ? (float)y : nextafterf(x, x < y ? __builtin_inff() : -__builtin_inff());
}

/* nexttowardl */
long double nextafterl(long double, long double);
long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

/* remquol */
/* Of the quotient the last three bits count: the remainder of 8 y is taken first. */
long double fmodl(long double, long double);
long double remquol(long double x, long double y, int *quotient)
{
    if (y == 0 || x - x != 0 || y != y)
        return x * y / (x * y);
    long double most = __LDBL_MAX__, a = x < 0 ? -x : x, b = y < 0 ? -y : y, r = b <= most / 8 ? fmodl(a, 8 * b) : a;
    int n = 0;
    if (b <= most / 4 && r >= 4 * b)
        r -= 4 * b, n += 4;
    if (b <= most / 2 && r >= 2 * b)
        r -= 2 * b, n += 2;
    /* Nearer to the next multiple, or half-way to it and behind an odd one. */
    for (int i = 0; i < 2 && (r > b - r || (r == b - r && n % 2)); i++)
        r -= b, n++;
    *quotient = (x < 0) != (y < 0) ? -n : n;
    r = r == 0 ? 0 : r;
    return __builtin_signbitl(x) ? -r : r;
}

/* fegetenv */
/* What an environment has is the mode and the flags; programs do not look into it. */
int feclearexcept(int), feraiseexcept(int), fetestexcept(int), fegetround(void), fesetround(int);
__attribute__((weak)) int fegetenv(int *environment)
{
    environment[0] = fegetround(), environment[1] = fetestexcept(61);
    return 0;
}
__attribute__((weak)) int feholdexcept(int *environment)
{
    fegetenv(environment);
    return feclearexcept(61);
}
__attribute__((weak)) int fesetenv(const int *environment)
{
    int is_default = environment == (const int *)-1, flags = is_default ? 0 : environment[1];
    fesetround(is_default ? 0 : environment[0]);
    feclearexcept(61);
    return flags ? feraiseexcept(flags) : 0;
}
__attribute__((weak)) int feupdateenv(const int *environment)
{
    int flags = fetestexcept(61);
    fesetenv(environment);
    return flags ? feraiseexcept(flags) : 0;
}
__attribute__((weak)) int fegetexceptflag(unsigned short *flags, int which)
{
    *flags = (unsigned short)fetestexcept(which);
    return 0;
}
__attribute__((weak)) int fesetexceptflag(const unsigned short *flags, int which)
{
    feclearexcept(which);
    return *flags & which ? feraiseexcept(*flags & which) : 0;
}
