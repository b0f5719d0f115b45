/* The library's functions between numbers and text, as they are compiled with code under test (`own_strtod`, …), against those of the
   machine: the same results, ends, `errno` and characters at random texts, numbers and formats. The argument says how many. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double own_strtod(const char *, char **);
float own_strtof(const char *, char **);
long own_strtol(const char *, char **, int);
unsigned long own_strtoul(const char *, char **, int);
int own_snprintf(char *, unsigned long, const char *, const char *);
extern int magneto_errno;

static uint64_t state = 88172645463325252ULL;

static uint64_t bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static unsigned below(unsigned n)
{
    return (unsigned)(bits() % n);
}

static double float_of(uint64_t u)
{
    double x;
    memcpy(&x, &u, 8);
    return x;
}

/* The text of a number, of one between two floats, of one that is tiny or vast, or nearly one. */
static void make_text(char *to, size_t room)
{
    static const char LETTERS[] = " +-0123456789.eExXpPinfaN_bz\t";
    uint64_t u = bits(), v = (u & 0x7fefffffffffffffULL) + 1;
    uint32_t w = (uint32_t)u, next = w + 1;
    float f, g;
    unsigned i, length = below(14);
    memcpy(&f, &w, 4);
    memcpy(&g, &next, 4);
    switch (below(8)) {
    case 0: snprintf(to, room, "%.*e", (int)below(40), float_of(u)); return;
    case 1: snprintf(to, room, "%a", float_of(u)); return;
    case 2: snprintf(to, room, "%.1200Lg", ((long double)float_of(v - 1) + (long double)float_of(v)) / 2); break;
    case 3: snprintf(to, room, "%.*g", 1 + (int)below(900), float_of(u % (1ULL << 52) >> below(52))); return;
    case 4: snprintf(to, room, "%llu.%llue%d", (unsigned long long)(u >> below(64)), (unsigned long long)(bits() >> below(64)), (int)below(720) - 360); return;
    case 5: snprintf(to, room, "%.200g", ((double)f + (double)g) / 2); break;
    case 6: snprintf(to, room, "%s%llu", below(2) ? "-" : "", (unsigned long long)(u >> below(8))); return;
    default:
        for (i = 0; i < length; i++)
            to[i] = LETTERS[below(sizeof LETTERS - 1)];
        to[length] = 0;
        return;
    }
    if (below(2))
        strcat(to, "1");
}

static long read_texts(long count)
{
    static const int BASES[] = {0, 10, 16, 8};
    static char text[4000];
    char *end, *own_end;
    long wrong = 0, i;
#define SAME(TYPE, CALL, OWN, WHAT) do { \
        errno = magneto_errno = 0; \
        end = own_end = 0; \
        TYPE x = CALL; \
        int error = errno; \
        TYPE y = OWN; \
        if (memcmp(&x, &y, sizeof x) || end != own_end || error != magneto_errno) { \
            if (wrong++ < 10) \
                printf("%s of '%s' in base %d: errno %d and %d\n", WHAT, text, base, error, magneto_errno); \
        } \
    } while (0)
    for (i = 0; i < count; i++) {
        int base = below(2) ? BASES[below(4)] : (int)below(40) - 1;
        make_text(text, sizeof text);
        SAME(double, strtod(text, &end), own_strtod(text, &own_end), "strtod");
        SAME(float, strtof(text, &end), own_strtof(text, &own_end), "strtof");
        SAME(long, strtol(text, &end, base), own_strtol(text, &own_end, base), "strtol");
        SAME(unsigned long, strtoul(text, &end, base), own_strtoul(text, &own_end, base), "strtoul");
    }
    return wrong;
}

static double number(void)
{
    double sign = below(2) ? 1 : -1;
    switch (below(6)) {
    case 0: return sign * (double)(bits() >> below(64)) / (double)(1 << below(20));
    case 1: return 0.5 * below(41) - 10;
    case 2: return below(2000) / 1000.0;
    case 3: return below(100000) / 64.0;
    case 4: return sign * 9.9999999e-5 * below(20);
    default: return float_of(bits());
    }
}

static long print_numbers(long count)
{
    static char text[20000], own[20000];
    long wrong = 0, i;
    for (i = 0; i < count; i++) {
        char format[64] = "<%", arguments[8] __attribute__((aligned(8)));
        size_t room = below(5) ? sizeof text : below(20);
        unsigned n = 2, halves = below(3);
        int length = 0, own_length, small = (int)(bits() >> (32 + below(32)));
        long large = (long)(bits() >> below(64));
        double x = number();
        const char *word = "hello, world";
        while (!below(3))
            format[n++] = "-+ #0"[below(5)];
        if (below(2))
            n += (unsigned)sprintf(format + n, "%u", 1 + below(30));
        if (below(2))
            n += (unsigned)sprintf(format + n, ".%u", below(below(8) ? 25 : 400));
        memset(text, 7, sizeof text);
        memset(own, 7, sizeof own);
#define PRINT(LETTERS, VALUE) do { \
            format[n++] = (LETTERS)[below(sizeof(LETTERS) - 1)]; \
            strcpy(format + n, ">"); \
            memcpy(arguments, &(VALUE), sizeof(VALUE)); \
            length = snprintf(text, room, format, VALUE); \
        } while (0)
        switch (below(6)) {
        case 0: case 1: case 2: PRINT("eEfFgG", x); break;
        case 3:
            while (halves--)
                format[n++] = 'h';
            PRINT("diuxXo", small);
            break;
        case 4:
            format[n++] = "lzjt"[below(4)];
            PRINT("diuxXo", large);
            break;
        default:
            if (below(2))
                PRINT("s", word);
            else
                PRINT("c", small);
        }
        own_length = own_snprintf(own, room, format, arguments);
        if ((length != own_length || memcmp(text, own, sizeof text)) && wrong++ < 10)
            printf("'%s' of %a, %d, %ld: %d and %d characters\n", format, x, small, large, length, own_length);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 0, wrong = read_texts(count) + print_numbers(count);
    printf("%ld wrong of %ld\n", wrong, count);
    return wrong != 0 || count == 0;
}
