/* Functions of texts. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Degrees, minutes and a hemisphere, in pieces. */
int in_pieces(const char *s)
{
    char text[12], *rest, *piece;
    int degrees, minutes;
    if (strnlen(s, 12) >= 12)
        return -1;
    strcpy(text, s);
    piece = strtok_r(text, " :", &rest);
    if (!piece)
        return -2;
    degrees = atoi(piece);
    piece = strtok_r(0, " :", &rest);
    if (!piece)
        return degrees == 7 ? -4 : -3;
    minutes = atoi(piece);
    if (minutes > 5)
        return -5;
    return strcasecmp(piece, "s") == 0 ? -degrees : degrees;
}

/* A line with two numbers and a word. */
int in_columns(const char *line)
{
    double x;
    int n, count, end = 0;
    char word[8];
    if (strnlen(line, 8) >= 8)
        return -1;
    count = sscanf(line, "%2d%lf%5s%n", &n, &x, word, &end);
    if (count <= 0)
        return 0;
    if (count == 1)
        return n > 12 ? 2 : 1;
    if (count == 2)
        return x > 0.5 ? 4 : 3;
    return word[0] == 'x' ? 6 : end > 4 ? 7 : 5;
}

int of_random(unsigned seed)
{
    srand(seed);
    if (rand() % 8 == 3)
        return rand() > 0x40000000;
    return 2;
}

int is_duplicate(const char *s)
{
    char *own;
    if (strnlen(s, 6) >= 6)
        return -1;
    own = strdup(s);
    if (!own)
        return -2;
    if (strlen(s) > 2 && ldiv((long)strlen(own), 2).rem && *stpcpy(own, "ab") == 0 && isblank((unsigned char)s[2]))
        return 1;
    free(own);
    return 0;
}

/* What a NaN carries. */
int payload(int n)
{
    double x = nan(n == 77 ? "0x12" : "");
    long bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0xff) == 0x12;
}

/* Negative characters have the letters' table of glibc, and what does not fit is told even if it is lost. */
int of_bytes(char c)
{
    int n = 0;
    errno = 0;
    if (tolower(c) > 127)
        return 1;
    if (sscanf(c == 65 ? "99999999999999999999 7" : "1 7", "%*d%d", &n) == 1 && errno)
        return 2;
    return n == 7 ? 3 : 4;
}
