/* Functions of <string.h>, <strings.h> and <ctype.h>, as glibc has them in the locale in which programs begin. Each one
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
