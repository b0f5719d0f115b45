/* Calls functions under test, each call in a process of its own: a crash, an endless loop or a variable that keeps its value
   is that call's own. Arguments: a file of calls and a file for what they come to; all of it words of 64 bits. A call is the
   function's number, where what lies behind pointers begins (0: cleared), and the inputs; what it comes to is a status (0:
   returned, 1: ended otherwise, 2 and above: the signal plus 1), the result, and what is behind pointers afterwards. With a
   further argument calls are made up, see attack.c. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long word;
extern void (*const magneto_functions[])(const word *in, word *out);
extern const unsigned magneto_in, magneto_out;

/* What is called before each run. */
static void prepare(void);

/* A kind of number: its bytes, and what they are. */
enum { BYTES = 15, SIGNED = 16, FLOAT = 32, TRUTH = 64 };

/* Pseudo-random bits. */
static word state;

static word bits(void)
{
    word z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static unsigned below(unsigned n) { return n ? (unsigned)(bits() >> 32) % n : 0; }

static word masked(int kind, word x) { return (kind & BYTES) == 8 ? x : x & (((word)1 << 8 * (kind & BYTES)) - 1); }

/* A value of any size. */
static word any(int kind)
{
    word x = masked(kind, bits());
    int width = 8 * (kind & BYTES), fraction = width == 64 ? 52 : 23;
    if (kind & TRUTH)
        return x & 1;
    if (!(kind & FLOAT)) {
        int64_t n = (int64_t)(x << (64 - width)) >> (64 - width);
        unsigned shift = below(width);
        return masked(kind, kind & SIGNED ? (word)(n >> shift) : x >> shift);
    }
    switch (below(4)) {
    case 0: {
        word one = width == 64 ? 1023 : 127, sign = x >> (width - 1) << (width - 1);
        return sign | (one - 20 + below(40)) << fraction | (x & (((word)1 << fraction) - 1));
    }
    case 1: {
        unsigned drop = below(fraction + 1);
        return x >> drop << drop;
    }
    default:
        return x;
    }
}

/* Where the values behind pointers begin that are no inputs; 0: they are cleared. */
static word filling;

/* Where the next such value begins. */
static word filled;

/* The system's own. */
_Noreturn void __real__exit(int);

/* So many numbers of a kind, one after the other, in an object. */
struct magneto_run {
    unsigned object, at, count, kind;
};

void magneto_make(char **objects, const unsigned *sizes, unsigned count)
{
    unsigned i;
    for (i = 0; i < count; i++) {
        objects[i] = calloc(sizes[i], 1);
        if (!objects[i])
            __real__exit(3);
    }
}

void magneto_fill(char *const *objects, const struct magneto_run *runs, unsigned count)
{
    const struct magneto_run *run;
    unsigned i;
    word kept = state;
    if (!filling)
        return;
    state = filled;
    for (run = runs; run < runs + count; run++)
        for (i = 0; i < run->count; i++) {
            unsigned bytes = run->kind & BYTES;
            word x = any(run->kind);
            memcpy(objects[run->object] + run->at + i * bytes, &x, bytes);
        }
    filled = state;
    state = kept;
}

void magneto_keep(char *const *objects, const struct magneto_run *runs, unsigned count, word *out)
{
    const struct magneto_run *run;
    unsigned i;
    for (run = runs; run < runs + count; run++)
        for (i = 0; i < run->count; i++) {
            unsigned bytes = run->kind & BYTES;
            memcpy(out++, objects[run->object] + run->at + i * bytes, bytes);
        }
}

/* The next of a stub's inputs, which begin at a place in its object. How many were taken is counted at another one, and the last
   word of the head says how many there are: then the first one follows. */
static word next_answer(char *stub, unsigned count, unsigned inputs)
{
    unsigned taken, slots;
    word x;
    memcpy(&taken, stub + count, 4);
    memcpy(&slots, stub + 12, 4);
    memcpy(&x, stub + inputs + 8 * (taken % slots), 8);
    taken++;
    memcpy(stub + count, &taken, 4);
    return x;
}

/* What a stub returns. */
word magneto_answer(char *stub) { return next_answer(stub, 0, 16); }

/* What a stub writes to a double. */
void magneto_write(char *stub, void *to)
{
    unsigned slots;
    word x;
    memcpy(&slots, stub + 12, 4);
    if (to) {
        x = next_answer(stub, 4, 16 + 8 * slots);
        memcpy(to, &x, 8);
    }
}

/* Puts a bit-field of so many bits into memory, from a bit of the first byte on. */
void magneto_bits(char *at, unsigned from, unsigned width, word x)
{
    unsigned i;
    for (i = 0; i < width; i++) {
        char *byte = at + (from + i) / 8, bit = (char)(1 << (from + i) % 8);
        *byte = (char)(x >> i & 1 ? *byte | bit : *byte & ~bit);
    }
}

/* For code under test the clock stands still at 0. The linker gives it these functions in the place of the library's. */
time_t __wrap_time(time_t *at)
{
    if (at)
        *at = 0;
    return 0;
}

long __wrap_clock(void) { return 0; }

int __wrap_clock_gettime(int id, long *at)
{
    (void)id;
    if (at)
        at[0] = at[1] = 0;
    return 0;
}

int __wrap_gettimeofday(long *at, void *zone)
{
    (void)zone;
    return __wrap_clock_gettime(0, at);
}

long __wrap__ZNSt6chrono3_V212steady_clock3nowEv(void) { return 0; }
long __wrap__ZNSt6chrono3_V212system_clock3nowEv(void) { return 0; }

/* Which call that allocates fails, counted from 1, and how many were made. */
static unsigned failing, allocations;
/* Whether functions of the code make objects. */
int magneto_makes = 1;

void magneto_fail(unsigned call) { failing = call, allocations = 0; }
static int fails(void)
{
    if (!failing || ++allocations != failing)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *__real_malloc(size_t);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__wrap_malloc(size_t n) { return fails() ? 0 : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t size) { return fails() ? 0 : __real_calloc(n, size); }
void *__wrap_realloc(void *p, size_t n) { return fails() ? 0 : __real_realloc(p, n); }

/* The time for the driver itself. Unit: seconds. */
static time_t seconds(void)
{
    struct timespec now;
    return timespec_get(&now, TIME_UTC) ? now.tv_sec : 0;
}

static word *reply;

/* Ends a process with what it counted, and without what a program does at its end: the destructors of objects are nobody's call. */
#ifdef MAGNETO_COUNTED
void __gcov_dump(void);
#endif

static volatile sig_atomic_t is_ending;

static void end(void)
{
    is_ending = 1, failing = 0;
#ifdef MAGNETO_COUNTED
    __gcov_dump();
#endif
    __real__exit(0);
}

/* Code under test ends the process without what is done at its end, too. An attack writes no counts. */
_Noreturn void __wrap__exit(int status)
{
    if (magneto_makes)
        end();
    __real__exit(status);
}

_Noreturn void __wrap__Exit(int status) { __wrap__exit(status); }

static void give_up(int number)
{
    (void)number;
    __real__exit(0);
}

/* Code that aborts has gone its way up to a call: its coverage is written, too. Where code has destroyed the heap, what writes the
   coverage may abort; and what writes it twice waits for itself. */
static void aborted(int number)
{
    if (is_ending)
        __real__exit(0);
    reply[0] = 1 + (word)number;
    signal(SIGALRM, give_up);
    alarm(2);
    end();
}

/* Other values than before where the code under test may find some that it never wrote. */
static __attribute__((noinline)) void fill_stack(void)
{
    volatile unsigned char bytes[1 << 18];
    unsigned i;
    for (i = 0; i < sizeof bytes; i++)
        bytes[i] = 0xfe;
}

static void call(const word *in, word *out)
{
    /* Seconds of its own, since a busy machine says nothing of a call; a call may wait as well. */
    struct rlimit seconds = {10, 10};
    reply = out;
    signal(SIGABRT, aborted);
    setrlimit(RLIMIT_CPU, &seconds);
    alarm(100);
    filled = filling = in[1];
    if (getenv("MAGNETO_FILL_STACK"))
        fill_stack();
    prepare();
    magneto_functions[in[0]](in + 2, out + 1);
    out[0] = 0;
    end();
}

static void limit(void)
{
    struct rlimit none = {0, 0}, memory = {(rlim_t)1 << 31, (rlim_t)1 << 31};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &memory);
}

#include "attack.c"

int main(int count, char **arguments)
{
    size_t in = 2 + magneto_in, out = 2 + magneto_out;
    FILE *calls = count >= 3 ? fopen(arguments[1], "rb") : 0;
    FILE *results = calls ? fopen(arguments[2], "wb") : 0;
    word *shared = mmap(0, out * sizeof(word), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    word *all = 0;
    size_t n, length;
    if (!results || shared == MAP_FAILED || fseek(calls, 0, SEEK_END))
        return 2;
    /* Read to the end before there are children: a child's exit would move the place in an open file. */
    length = (size_t)ftell(calls) / sizeof(word);
    all = calloc(length + 1, sizeof(word));
    rewind(calls);
    if (!all || fread(all, sizeof(word), length, calls) != length || fclose(calls))
        return 2;
    limit();
    if (count == 4)
        return attack(all, results);
    for (n = 0; n + in <= length; n += in) {
        int status;
        pid_t child;
        memset(shared, 0, out * sizeof(word));
        shared[0] = 1;
        child = fork();
        if (child == 0)
            call(all + n, shared);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (WIFSIGNALED(status))
            shared[0] = 1 + (word)WTERMSIG(status);
        /* Nothing may wait in a buffer that the next child would write once more. */
        if (fwrite(shared, sizeof(word), out, results) != out || fflush(results))
            return 2;
    }
    return 0;
}
