/* Calls functions with very many inputs and lets gcov count which branches they take. Inputs that reach new code, or come
   nearer to where two compared values are equal, are kept and changed further; compared values are tried as inputs. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 64, KEPT = 4096, VALUES = 512, FEATURES = 1 << 20 };
typedef struct { int words; const char *kinds; void (*call)(const uint64_t *); } target;
extern target targets[];
extern void __gcov_dump(void);

static uint64_t kept[KEPT][WORDS], values[VALUES], state;
static size_t n_kept, n_values;
static unsigned char seen[FEATURES];
static int fresh, inside;
static volatile unsigned long calls, calls_before;
static sigjmp_buf back;

static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static size_t below(size_t n) { return next() % n; }

static void feature(uint64_t h)
{
    h *= 0x9e3779b97f4a7c15u;
    h >>= 44;
    if (inside && !seen[h])
        seen[h] = fresh = 1;
}
static void value(uint64_t v)
{
    values[n_values < VALUES ? n_values++ : below(VALUES)] = v;
}
static void near(uint64_t a, uint64_t b, void *at)
{
    if (!inside)
        return;
    feature((uintptr_t)at * 67 + (a == b ? 65 : __builtin_clzll(a ^ b)) + (a < b) * (1ull << 40));
    if ((calls & 15) == 0)
        value(next() & 1 ? a : b);
}
/* Where it is in the program, the same wherever that is loaded. */
int main(int, char **);
#define AT ((void *)((uintptr_t)__builtin_return_address(0) - (uintptr_t)main))
void __sanitizer_cov_trace_pc(void) { feature((uintptr_t)AT); }
void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { near(a, b, AT); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { near(a, b, AT); }
static uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
static double number(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }
void __sanitizer_cov_trace_cmpd(double a, double b) { near(bits(a), bits(b), AT); }
void __sanitizer_cov_trace_cmpf(float a, float b) { near(bits(a), bits(b), AT); }
void __sanitizer_cov_trace_switch(uint64_t v, uint64_t *cases)
{
    for (uint64_t i = 0; i < cases[0] && i < 64; i++)
        near(v, cases[2 + i], (char *)AT + i);
}

static const double special[] = { 0, 1, 2, 0.5, 3, 10, 1.5, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p53, 0x1p52, 0x1p31,
    0x1p32, 0x1p63, 0x1p64, 0x1p-53, 0x1p-27, 1e-5, 1e5, 100, 1000, 0.1, 3.14159265358979312, 1.57079632679489656, 0.693147180559945286, 709.78,
    745.13, 88.72, 103.97, 0x1p-126, 0x1p-149, 0x1.fffffep127, 0x1p24, 1e300, 1e-300 };
enum { SPECIAL = sizeof special / sizeof *special };

/* Any value of a kind: d, f for floats, 1 2 4 8 for integers of so many bytes. */
static uint64_t any(char kind)
{
    uint64_t r = next();
    if (kind == 'd' || kind == 'f') {
        double x;
        switch (below(8)) {
        case 0: case 1: x = special[below(SPECIAL)]; break;
        case 2: x = (double)below(64); break;
        case 3: x = INFINITY; break;
        case 4: x = NAN; break;
        case 5: x = ldexp((double)(r >> 11), -53 + (int)below(24) - 8); break;
        case 6: x = n_values ? number(values[below(n_values)]) : 1; break;
        default:
            if (kind == 'd')
                return r;
            return r >> 32;
        }
        if (r & 1)
            x = -x;
        if (kind == 'd')
            return bits(x);
        float y = (float)x;
        uint32_t u;
        memcpy(&u, &y, 4);
        return u;
    }
    switch (below(6)) {
    case 0: return below(64);
    case 1: return -(uint64_t)below(64);
    case 2: return ((uint64_t)1 << below(64)) - below(3) + 1;
    case 3: return n_values ? values[below(n_values)] : 0;
    case 4: return r >> below(64);
    default: return r;
    }
}

static uint64_t changed(uint64_t w, char kind)
{
    int width = kind == 'd' ? 64 : kind == 'f' ? 32 : 8 * (kind - '0');
    switch (below(9)) {
    case 0: case 1: return w ^ (uint64_t)1 << below(width);
    case 2: return w + ((uint64_t)1 << below(width));
    case 3: return w - ((uint64_t)1 << below(width));
    case 4: return w + below(17) - 8;
    case 5: return w & ~(uint64_t)0 << below(width);
    case 6:
        if (kind == 'd')
            return bits(below(2) ? rint(number(w)) : number(w) * (double)(1 + below(10)));
        return -w;
    case 7:
        if (n_values && kind != 'f')
            return values[below(n_values)] + below(5) - 2;
        return w ^ 1;
    default: return any(kind);
    }
}

static void stopped(int signal)
{
    (void)signal;
    if (inside)
        siglongjmp(back, 1);
    _exit(9);
}
static void tick(int signal)
{
    (void)signal;
    if (inside && calls == calls_before)
        siglongjmp(back, 1);
    calls_before = calls;
}
void __wrap_exit(int code)
{
    (void)code;
    if (inside)
        siglongjmp(back, 1);
    __gcov_dump();
    _exit(code);
}

static void call(const target *t, const uint64_t *words)
{
    calls++;
    fresh = 0;
    if (!sigsetjmp(back, 0)) {
        inside = 1;
        t->call(words);
    }
    inside = 0;
    if (fresh && n_kept < KEPT)
        memcpy(kept[n_kept++], words, sizeof kept[0]);
}

/* attack TARGET CALLS SECONDS SEED; seeds and values of interest on standard input: `s WORD...`, `v WORD` */
int main(int argc, char **argv)
{
    static uint64_t words[WORDS];
    static char stack[1 << 16], line[4096];
    if (argc < 5)
        return 2;
    const target *t = &targets[atoi(argv[1])];
    unsigned long most = strtoul(argv[2], 0, 10);
    double seconds = atof(argv[3]);
    state = strtoull(argv[4], 0, 10);
    stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
    sigaltstack(&other, 0);
    struct sigaction end = { .sa_handler = stopped, .sa_flags = SA_NODEFER | SA_ONSTACK };
    for (int i = 0, all[] = { SIGFPE, SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGTRAP }; i < 6; i++)
        sigaction(all[i], &end, 0);
    struct sigaction ticks = { .sa_handler = tick, .sa_flags = SA_NODEFER | SA_ONSTACK };
    sigaction(SIGALRM, &ticks, 0);
    struct itimerval every = { { 0, 200000 }, { 0, 200000 } };
    setitimer(ITIMER_REAL, &every, 0);
    while (fgets(line, sizeof line, stdin)) {
        char *at = line + 1;
        if (line[0] == 'v') {
            value(strtoull(at, &at, 0));
            continue;
        }
        for (int i = 0; i < t->words; i++)
            words[i] = strtoull(at, &at, 0);
        fresh = 0;
        call(t, words);
        if (!fresh && n_kept < KEPT)
            memcpy(kept[n_kept++], words, sizeof words);
    }
    time_t start = time(0);
    while (t->words && calls < most && ((calls & 1023) || difftime(time(0), start) < seconds)) {
        if (n_kept && below(8)) {
            memcpy(words, kept[below(2) ? below(n_kept) : n_kept - 1 - below(n_kept < 16 ? n_kept : 16)], sizeof words);
            for (size_t i = 1 + below(3); i--;) {
                size_t w = below(t->words);
                words[w] = below(8) ? changed(words[w], t->kinds[w]) : words[below(t->words)];
            }
        } else {
            for (int i = 0; i < t->words; i++)
                words[i] = any(t->kinds[i]);
        }
        call(t, words);
    }
    printf("%lu calls, %zu kept\n", calls, n_kept);
    fflush(stdout);
    __gcov_dump();
    _exit(0);
}
