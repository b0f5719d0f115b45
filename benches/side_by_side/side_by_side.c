/* The caller of the function under test. A call that takes long or crashes is left by a jump. gcov computes some
   counts from others, which holds only of calls that return: so counts since the last dump are then dropped, and
   the calls that returned are made again. Random inputs are computed from their number alone, so that they are the
   same. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
void side_call(const unsigned char *); void __gcov_dump(void); void __gcov_reset(void);
static sigjmp_buf out; static volatile long now, seen = -1; static volatile int inside;
static void tick(int s) { /* the same call at two ticks, or a call that crashes */
    if (inside && (s != SIGPROF || seen == now)) { inside = 0; siglongjmp(out, 1); }
    seen = now; }
static void ticks(int ms) {
    struct sigaction a = {0}; struct itimerval t = {{0, ms * 1000}, {0, ms * 1000}};
    a.sa_handler = tick; a.sa_flags = SA_NODEFER; sigaction(SIGPROF, &a, 0); sigaction(SIGFPE, &a, 0);
    sigaction(SIGSEGV, &a, 0); setitimer(ITIMER_PROF, &t, 0); }
static int call(const unsigned char *p) {
    now++; if (sigsetjmp(out, 0)) return 0;
    inside = 1; side_call(p); inside = 0; return 1; }
#ifdef FUZZ
int LLVMFuzzerTestOneInput(const unsigned char *p, size_t n) {
    static int on; if (!on) ticks(50); on = 1; if (n >= LENGTH) call(p); return 0; }
#else
static const char types[] = TYPES; static unsigned char *data; static int mode;
static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u; z = (z ^ z >> 27) * 0x94d049bb133111ebu; return z ^ z >> 31; }
static unsigned char *input(long i) { /* the i-th: f of the file, b of random bits, s from -100 to 100 */
    static unsigned char b[LENGTH]; unsigned char *p = b; if (mode == 'f') return data + i * LENGTH;
    for (int k = 0, n; types[k]; k++, p += n) {
        uint64_t r = mix(mix(i + 1) + k * 0x9e3779b97f4a7c15u); double u = r / 18446744073709551616.0 * 200 - 100;
        float f = u; int v = u; n = types[k] == 'd' ? 8 : types[k] == 'b' ? 1 : 4;
        memcpy(p, mode == 'b' ? (void *)&r : types[k] == 'd' ? (void *)&u : types[k] == 'f' ? (void *)&f : (void *)&v, n); }
    return b; }
int main(int n, char **v) { /* MODE FILE FROM TO SECONDS */
    mode = *v[1]; long lo = atol(v[3]), hi = atol(v[4]), i = lo, kept = lo, over = 0; struct timespec t;
    if (mode == 'f') { FILE *f = fopen(v[2], "rb"); data = malloc(1 << 26); fread(data, 1, 1 << 26, f); }
    ticks(50);
    for (; i < hi && !over; i++) {
        int returned = call(input(i));
        if (!returned) {
            __gcov_reset(); for (long k = kept; k < i; k++) call(input(k));
            __gcov_dump(); __gcov_reset(); kept = i + 1; }
        if (i % 64 == 0 || !returned) {
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); over = t.tv_sec + t.tv_nsec / 1e9 > atof(v[5]); } }
    printf("%ld\n", i - lo); exit(0); }
#endif
