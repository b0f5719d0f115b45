/* Random numbers of <stdlib.h>, as glibc has them. Each function, or those that stand together, under a line with the name. */

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

/* drand48 */
/* The next number of 48 bits is a times this one and c; each function has the upper bits of it. What the first one comes of is
   nowhere promised. */
unsigned long magneto_unsaid(void);
static unsigned long magneto_seed, magneto_factor = 0x5deece66d, magneto_more = 0xb;
static unsigned short magneto_last_seed[3];
static unsigned long magneto_of_thirds(const unsigned short *x) { return x[0] | (unsigned long)x[1] << 16 | (unsigned long)x[2] << 32; }
static void magneto_to_thirds(unsigned short *x, unsigned long n) { x[0] = n & 0xffff, x[1] = n >> 16 & 0xffff, x[2] = n >> 32 & 0xffff; }
static unsigned long magneto_48(unsigned long n) { return (n * magneto_factor + magneto_more) & 0xffffffffffff; }
static unsigned long magneto_own_48(void) { return magneto_seed = magneto_48(magneto_seed + magneto_unsaid()); }
static unsigned long magneto_given_48(unsigned short *x)
{
    unsigned long n = magneto_48(magneto_of_thirds(x));
    magneto_to_thirds(x, n);
    return n;
}
__attribute__((weak)) double drand48(void) { return (double)magneto_own_48() * 0x1p-48; }
__attribute__((weak)) double erand48(unsigned short *x) { return (double)magneto_given_48(x) * 0x1p-48; }
__attribute__((weak)) long lrand48(void) { return (long)(magneto_own_48() >> 17); }
__attribute__((weak)) long nrand48(unsigned short *x) { return (long)(magneto_given_48(x) >> 17); }
__attribute__((weak)) long mrand48(void) { return (int)(magneto_own_48() >> 16); }
__attribute__((weak)) long jrand48(unsigned short *x) { return (int)(magneto_given_48(x) >> 16); }
static void magneto_start_48(unsigned long n) { magneto_seed = n, magneto_factor = 0x5deece66d, magneto_more = 0xb; }
__attribute__((weak)) void srand48(long seed) { magneto_start_48(((unsigned long)seed & 0xffffffff) << 16 | 0x330e); }
__attribute__((weak)) unsigned short *seed48(unsigned short *x)
{
    magneto_to_thirds(magneto_last_seed, magneto_seed);
    magneto_start_48(magneto_of_thirds(x));
    return magneto_last_seed;
}
__attribute__((weak)) void lcong48(unsigned short *p)
{
    magneto_seed = magneto_of_thirds(p), magneto_factor = magneto_of_thirds(p + 3), magneto_more = p[6];
}
