/* Functions whose results depend on what the library makes of numbers and texts. */
#include <errno.h>
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
