/* Calls of the first function with inputs that are made up here, many of them in one process: values of every size, values of
   the code, changes of inputs that came somewhere new, and steps towards the comparisons that were seen, told by the compiler's
   instrumentation. What is asked: how many calls, how many blocks of code in all of them, how many calls of one process, whether
   what lies behind pointers is made up as well, whether the first call of a process may be unlike others; how many inputs there are to begin with, and these; for each input its kind and
   how many values there are to choose from, and these. The answer: how many calls were made, whether that is all, and for each
   call that came somewhere new the filling and the inputs. All that is learnt is in shared memory, so that it outlives a process. */

enum { EDGES = 1 << 16, SITES = 1 << 12, KEPT = 1000, DEATHS = 2000, BLOCKS = 10000, LONG = 16, SIGNAL = 500, SECONDS = 5 };
/* A row of a comparison: the distance plus 1 (0: none yet), the kind of the operands, these, and the call. */
enum { DISTANCE, OPERANDS, LEFT, RIGHT, CALL };

struct learnt {
    word next, blocks, kept, used;
    unsigned char edges[EDGES];
    word sites[SITES];
    /* The sites in the order in which they were seen. */
    unsigned order[SITES];
    word rows[];
};

static struct learnt *learnt;
/* The call: filling and inputs. */
static word *now;
static volatile int is_running;
static int is_kept;
static word fuel, before;
/* What tells edges apart of first calls and of others. */
static word salt;
static sigjmp_buf back;
static const int *kinds;

static word *kept_row(word n) { return learnt->rows + n * (1 + magneto_in); }

static word *site_row(unsigned slot, int side)
{
    return kept_row(KEPT) + (2 * slot + side) * (CALL + 1 + magneto_in);
}

static word place(void *address) { return (word)((uintptr_t)address - (uintptr_t)magneto_functions); }

static word mixed(word x)
{
    x *= 0x9E3779B97F4A7C15u;
    return x ^ x >> 29;
}

static void edge(word number)
{
    unsigned char *seen = &learnt->edges[mixed(number ^ salt) % EDGES];
    if (*seen)
        return;
    *seen = 1;
    if (!is_kept && learnt->kept < KEPT) {
        memcpy(kept_row(learnt->kept++), now, (1 + magneto_in) * sizeof(word));
        is_kept = 1;
    }
}

void __sanitizer_cov_trace_pc(void)
{
    word here;
    if (!is_running)
        return;
    here = place(__builtin_return_address(0));
    edge(here ^ before << 20);
    before = here;
    if (--fuel == 0)
        siglongjmp(back, 1);
}

/* A float's number among all floats, in order. */
static int64_t ordinal(int kind, word x)
{
    int64_t n = kind & BYTES & 4 ? (int64_t)(int32_t)x : (int64_t)x;
    return n >= 0 ? n : (kind & BYTES & 4 ? -(int64_t)0x80000000 : INT64_MIN) - n;
}

static word from_ordinal(int kind, int64_t n)
{
    return masked(kind, n >= 0 ? (word)n : (word)((kind & BYTES & 4 ? -(int64_t)0x80000000 : INT64_MIN) - n));
}

static double value(int kind, word x)
{
    double d;
    float f;
    if (kind & FLOAT && (kind & BYTES) == 8)
        return memcpy(&d, &x, 8), d;
    if (kind & FLOAT)
        return memcpy(&f, &x, 4), f;
    return (double)((int64_t)(x << (64 - 8 * (kind & BYTES))) >> (64 - 8 * (kind & BYTES)));
}

static word of_value(int kind, double d)
{
    word x = 0;
    float f = (float)d;
    if (!(kind & FLOAT))
        return d > -9e18 && d < 9e18 ? masked(kind, (word)(int64_t)d) : 0;
    if ((kind & BYTES) == 8)
        memcpy(&x, &d, 8);
    else
        memcpy(&x, &f, 4);
    return x;
}

/* Operands of a comparison: the nearest ones so far are kept, from below and from above. */
static void seen(word site, int kind, word a, word b)
{
    unsigned slot = mixed(site) % SITES, tries = 0;
    word distance, *row;
    int side;
    if (!is_running)
        return;
    a = masked(kind, a), b = masked(kind, b);
    if (kind & FLOAT) {
        int64_t left = ordinal(kind, a), right = ordinal(kind, b);
        double l = value(kind, a), r = value(kind, b);
        if (l != l || r != r)
            return;
        side = left < right;
        distance = side ? (word)right - (word)left : (word)left - (word)right;
    } else {
        distance = masked(kind, a - b);
        side = distance >> (8 * (kind & BYTES) - 1) & 1;
        distance = side ? masked(kind, b - a) : distance;
    }
    while (learnt->sites[slot] != site + 1) {
        if (learnt->sites[slot] == 0 && learnt->used < SITES - 1) {
            learnt->sites[slot] = site + 1;
            learnt->order[learnt->used++] = slot;
            break;
        }
        if (++tries == 16)
            return;
        slot = (slot + 1) % SITES;
    }
    row = site_row(slot, side);
    if (row[DISTANCE] && (row[DISTANCE] <= distance || row[DISTANCE] == 1))
        if (row[DISTANCE] != distance + 1 || distance == 0)
            return;
    row[DISTANCE] = distance + 1 ? distance + 1 : distance;
    row[OPERANDS] = (word)kind, row[LEFT] = a, row[RIGHT] = b;
    memcpy(row + CALL, now, (1 + magneto_in) * sizeof(word));
}

#define HERE place(__builtin_return_address(0))
void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { seen(HERE, 1, a, b); }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { seen(HERE, 2, a, b); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { seen(HERE, 4, a, b); }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { seen(HERE, 8, a, b); }
/* The constant stands first; here it is what is gone for. */
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { seen(HERE, 1, b, a); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { seen(HERE, 2, b, a); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { seen(HERE, 4, b, a); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { seen(HERE, 8, b, a); }

static word bits_of(const void *x, size_t size)
{
    word bits = 0;
    memcpy(&bits, x, size);
    return bits;
}

void __sanitizer_cov_trace_cmpf(float a, float b) { seen(HERE, FLOAT | 4, bits_of(&a, 4), bits_of(&b, 4)); }
void __sanitizer_cov_trace_cmpd(double a, double b) { seen(HERE, FLOAT | 8, bits_of(&a, 8), bits_of(&b, 8)); }

void __sanitizer_cov_trace_switch(uint64_t x, const uint64_t *cases)
{
    uint64_t i;
    for (i = 0; i < cases[0] && i < 64; i++)
        seen(HERE ^ (i + 1) << 40, cases[1] <= 32 ? 4 : 8, x, cases[2 + i]);
}

/* Values to choose from, for each input. */
static const word **values;
static unsigned *counts;

static word one_of(unsigned i)
{
    word x = values[i][below(counts[i])];
    int by = (int)below(5) - 2;
    if (below(2))
        return x;
    return kinds[i] & FLOAT ? from_ordinal(kinds[i], ordinal(kinds[i], x) + by) : masked(kinds[i], x + (word)(int64_t)by);
}

/* A change of one input. */
static word changed(unsigned i)
{
    int kind = kinds[i], width = 8 * (kind & BYTES);
    word x = now[1 + i], step = (word)1 << below(width), other = below(magneto_in);
    int up = below(2);
    switch (below(7)) {
    case 0:
        return x ^ step;
    case 1:
    case 2:
        if (kind & FLOAT)
            return from_ordinal(kind, (int64_t)((word)ordinal(kind, x) + (up ? step : -step)));
        return x + (up ? step : -step);
    case 3:
        return one_of(i);
    case 4:
        return kinds[other] == kind ? now[1 + other] : of_value(kind, value(kinds[other], now[1 + other]));
    case 5:
        return kind & FLOAT ? x ^ (word)1 << (width - 1) : -x;
    default:
        return any(kind);
    }
}

/* A change of one input that may make the left operand of a comparison the right one. */
static word nearer(unsigned i, const word *row)
{
    int kind = kinds[i], of = (int)row[OPERANDS], more = 64 - 8 * (of & BYTES);
    word x = now[1 + i], a = row[LEFT], b = row[RIGHT];
    word by = (word)((int64_t)((b - a) << more) >> more);
    double l = value(of, a), r = value(of, b), v = value(kind, x);
    unsigned shift = below(2) ? below(64) : below(3) * 32 % 64;
    switch (below(13)) {
    case 0:
        return b;
    case 1:
        return x + (by << shift);
    case 2:
        return x ^ (a ^ b) << shift;
    case 3:
        return x ^ (a ^ b) >> shift;
    case 4:
        return b << shift;
    case 5:
        return (x & 0xffffffff) | b << 32;
    case 6:
        return x >> 32 << 32 | (b & 0xffffffff);
    case 7:
        return of_value(kind, r);
    case 8:
        return of_value(kind, v + (r - l));
    case 9:
        return of_value(kind, l != 0 ? v * (r / l) : r);
    case 10:
        return x - (by << shift);
    case 11:
        return of_value(kind, v + (r - l) * (double)((int)below(9) - 4) / 4);
    default:
        return changed(i);
    }
}

/* The nearest operands of a comparison: of those that were seen last as often as of all others. */
static const word *aimed(void)
{
    unsigned tries, n = (unsigned)learnt->used;
    for (tries = 0; n && tries < 8; tries++) {
        unsigned last = n < 8 ? n : 8, k = below(2) ? n - 1 - below(last) : below(n);
        const word *row = site_row(learnt->order[k], (int)below(2));
        if (row[DISTANCE] > 1)
            return row;
    }
    return 0;
}

/* Makes up the call of this number. */
static void make(word number, const word *begins, word count, int fills)
{
    const word *row = 0;
    unsigned i, times;
    state = mixed(number + 1);
    now[0] = fills && below(2) ? bits() | 1 : 0;
    if (number < count || (fills && number < 2 * count)) {
        now[0] = number < count ? 0 : bits() | 1;
        memcpy(now + 1, begins + number % count * magneto_in, magneto_in * sizeof(word));
        return;
    }
    switch (below(8)) {
    case 0:
        for (i = 0; i < magneto_in; i++)
            now[1 + i] = any(kinds[i]);
        return;
    case 1:
        for (i = 0; i < magneto_in; i++)
            now[1 + i] = one_of(i);
        return;
    case 2:
    case 3:
        memcpy(now, kept_row(below((unsigned)learnt->kept)), (1 + magneto_in) * sizeof(word));
        break;
    default:
        row = aimed();
        if (row)
            memcpy(now, row + CALL, (1 + magneto_in) * sizeof(word));
        else
            memcpy(now, kept_row(below((unsigned)learnt->kept)), (1 + magneto_in) * sizeof(word));
    }
    if (fills && !below(4))
        now[0] = below(4) ? bits() | 1 : 0;
    for (times = below(4) ? 1 : 1 + below(4); magneto_in && times; times--) {
        i = below(magneto_in);
        now[1 + i] = masked(kinds[i], row ? nearer(i, row) : changed(i));
        if (kinds[i] & TRUTH)
            now[1 + i] &= 1;
    }
}

static void caught(int number)
{
    if (!is_running)
        __real__exit(1);
    edge((word)number << 50);
    /* A signal takes as long as many blocks. */
    learnt->blocks += SIGNAL;
    siglongjmp(back, 1);
}

static void leave(void) { __real__exit(0); }

/* An earlier call may have set another mode. */
static void round_to_nearest(void)
{
#if defined(__x86_64__)
    static const unsigned vectors = 0x1f80;
    static const unsigned short stack = 0x37f;
    __asm__ volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(vectors), "m"(stack));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, xzr");
#endif
}

/* The calls of one process. */
static void some(const word *asked, word upto, const word *begins, word count)
{
    static const int caught_ones[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    static word stack[1 << 13], ignored[1];
    word *out = calloc(2 + magneto_out, sizeof(word));
    struct sigaction action;
    stack_t other = {0};
    word first = learnt->next;
    static word given;
    unsigned i;
    other.ss_sp = stack, other.ss_size = sizeof stack;
    sigaltstack(&other, 0);
    memset(&action, 0, sizeof action);
    action.sa_handler = caught;
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    for (i = 0; i < sizeof caught_ones / sizeof *caught_ones; i++)
        sigaction(caught_ones[i], &action, 0);
    /* What is counted here is not written. */
    atexit(leave);
    while (learnt->next < upto && learnt->blocks < asked[1]) {
        make(learnt->next++, begins, count, (int)asked[3]);
        is_kept = 0, before = 0, filled = filling = now[0];
        salt = asked[4] && learnt->next - 1 > first ? (word)1 << 60 : 0;
        /* One of some calls may take long. */
        given = learnt->next % LONG ? BLOCKS : BLOCKS * LONG;
        fuel = given;
        if (!sigsetjmp(back, 0)) {
            is_running = 1;
            edge(1);
            round_to_nearest(), magneto_fail(0);
            prepare();
            magneto_functions[0](now + 1, out ? out : ignored);
        } else if (now[0] && is_kept && fuel == 0)
            /* What does not end with values that only native programs make up is of no use. */
            learnt->kept--;
        is_running = 0;
        learnt->blocks += given - fuel;
    }
    __real__exit(0);
}

static int attack(const word *asked, FILE *results)
{
    size_t size = sizeof *learnt + sizeof(word) * ((size_t)KEPT * (1 + magneto_in) + 2 * (size_t)SITES * (CALL + 1 + magneto_in));
    const word *begins = asked + 6, *rest = begins + asked[5] * magneto_in;
    time_t began = seconds();
    int *all = calloc(magneto_in + 1, sizeof *all), is_whole = 1;
    word answer[3];
    unsigned i, deaths = 0;
    learnt = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    now = calloc(1 + magneto_in, sizeof *now);
    values = calloc(magneto_in + 1, sizeof *values);
    counts = calloc(magneto_in + 1, sizeof *counts);
    /* Proofs take for granted what functions of the code need not keep to. */
    magneto_makes = 0;
    if (learnt == MAP_FAILED || !now || !all || !values || !counts)
        return 2;
    for (i = 0; i < magneto_in; i++) {
        all[i] = (int)rest[0], counts[i] = (unsigned)rest[1], values[i] = rest + 2;
        rest += 2 + counts[i];
    }
    kinds = all;
    while (learnt->next < asked[0] && learnt->blocks < asked[1] && is_whole) {
        word first = learnt->next, upto = first + asked[2] < asked[0] ? first + asked[2] : asked[0];
        time_t left = began + SECONDS - seconds();
        int status;
        pid_t child = left > 0 ? fork() : -1;
        if (child == 0) {
            alarm((unsigned)left);
            some(asked, upto, begins, asked[5]);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            break;
        deaths += learnt->next < upto;
        /* Calls may have written anywhere. */
        if (learnt->next <= first || learnt->next > upto || learnt->kept > KEPT || learnt->used > SITES)
            break;
        is_whole = deaths < DEATHS && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
    }
    is_whole = is_whole && (learnt->next >= asked[0] || learnt->blocks >= asked[1]);
    answer[0] = learnt->next, answer[1] = (word)is_whole, answer[2] = learnt->kept < KEPT ? learnt->kept : KEPT;
    if (fwrite(answer, sizeof(word), 3, results) != 3)
        return 2;
    if (fwrite(kept_row(0), sizeof(word) * (1 + magneto_in), answer[2], results) != answer[2] || fflush(results))
        return 2;
    return 0;
}
