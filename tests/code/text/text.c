/* Functions whose results depend on what the library makes of numbers and texts. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long hash(const char *s)
{
    unsigned long h = 5381;
    while (*s)
        h = 33 * h + (unsigned char)*s++;
    return h;
}

unsigned long printed(double x, int n, long m, unsigned char kind)
{
    char text[400];
    const char *form = "";
    switch (kind % 5) {
    case 0: form = "%.3f|%6d|%ld|%s"; break;
    case 1: form = "%g|%+d|%#lx|%.1s"; break;
    case 2: form = "%12.4e|%d|%-22ld|%4s"; break;
    case 3: form = "%G|%x|%lu|%s"; break;
    default: form = "%.17g|%05d|%ld|%%%s"; break;
    }
    int length = snprintf(text, sizeof text, form, x, n, m, "ab");
    return hash(text) + (unsigned long)length;
}

double read_back(double x, unsigned char digits)
{
    char text[64];
    sprintf(text, "%.*e;", digits % 20, x);
    char *end;
    double y = strtod(text, &end);
    return *end == ';' ? y : -1;
}

long integers(long n, unsigned char base)
{
    char text[64], *end;
    sprintf(text, base % 2 ? "%ld." : "0x%lx.", n);
    long m = strtol(text, &end, base % 2 ? 10 : 0);
    return m + (*end == '.') + 2 * (errno == ERANGE);
}

int parsed(const char *s)
{
    char *end;
    double x = strtod(s, &end);
    if (end == s)
        return -1;
    if (x > 12.5 && x < 12.75)
        return 1;
    if (*end)
        return atoi(end + 1);
    return 0;
}

static char line[200];

static int logged(int kind, const char *form, ...)
{
    va_list all, again;
    va_start(all, form);
    va_copy(again, all);
    int length = vsnprintf(line, sizeof line, form, all);
    va_end(all);
    for (int i = 0; i < kind; i++)
        length += va_arg(again, int);
    double x = kind ? va_arg(again, double) : 0;
    va_end(again);
    return x > 1 ? length : -length;
}

struct pair { double a; long b; };

static double summed(int n, ...)
{
    double s = 0;
    va_list all;
    va_start(all, n);
    for (int i = 0; i < n; i++) {
        struct pair p = va_arg(all, struct pair);
        float *q = va_arg(all, float *);
        s += p.a * (i + 1) + (double)p.b + *q + va_arg(all, unsigned);
    }
    va_end(all);
    return s;
}

typedef int (*printer)(char *, unsigned long, const char *, ...);

static int doubled(char *to, unsigned long room, const char *form, ...)
{
    va_list all;
    va_start(all, form);
    to[0] = (char)va_arg(all, int), to[1] = 0;
    int n = (int)va_arg(all, double);
    va_end(all);
    return 2 * n;
}

long listed(unsigned char kind, int n, double x, short m, float y)
{
    char text[100] = "";
    struct pair p = {x, n}, q = {y, m};
    printer print = kind & 4 ? doubled : (printer)snprintf;
    double z = x > -1e9 && x < 1e9 ? x : 1;
    switch (kind % 4) {
    case 0: return logged(2, "%d %d %g", n % 1000, m, x) + (long)hash(line);
    case 1: return logged(0, "%s|%c|%-8.3f|%lu", kind > 99 ? "long" : "", m, x, (unsigned long)n) + (long)hash(line);
    case 2: return (long)hash(text) + print(text, sizeof text, "%d,%.4e", n, z);
    default: return (long)(1e3 * atan(summed(2, p, &y, 7u, q, &y, (unsigned)n)));
    }
}
