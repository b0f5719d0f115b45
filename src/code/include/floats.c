/* Functions of <math.h>, <fenv.h> and <complex.h> that the mathematical library is not asked for. Each one, or those that stand together, under a
   line with the name. */

/* nan */
/* A number is what the NaN carries. */
static unsigned long magneto_payload(const char *s)
{
    unsigned long n = 0, base = *s != '0' ? 10 : (s[1] | 32) == 'x' && s[2] ? 16 : 8;
    for (s += base == 16 ? 2 : 0; *s; s++) {
        unsigned long digit = *s >= '0' && *s <= '9'                   ? (unsigned long)*s - '0'
                              : (*s | 32) >= 'a' && (*s | 32) <= 'f' ? (unsigned long)(*s | 32) - 'a' + 10
                                                                       : 99;
        if (digit >= base)
            return 0;
        n = n > (~0UL - digit) / base ? ~0UL : n * base + digit;
    }
    return n;
}
__attribute__((weak)) double nan(const char *s)
{
    union { unsigned long bits; double x; } u = {0x7ff8000000000000 | (magneto_payload(s) & 0x7ffffffffffff)};
    return u.x;
}
__attribute__((weak)) float nanf(const char *s)
{
    union { unsigned bits; float x; } u = {0x7fc00000 | (unsigned)(magneto_payload(s) & 0x3fffff)};
    return u.x;
}
#if __LDBL_MANT_DIG__ == 64
__attribute__((weak)) long double nanl(const char *s)
{
    union { unsigned long bits[2]; long double x; } u = {{0xc000000000000000 | (magneto_payload(s) & 0x3fffffffffffffff), 0x7fff}};
    return u.x;
}
#endif

/* nexttoward */
double nextafter(double, double);
double nexttoward(double x, long double y)
{
    if (x != x || y != y)
        return x + (double)y;
    return x == y ? (double)y : nextafter(x, x < y ? __builtin_inf() : -__builtin_inf());
}

/* nexttowardf */
float nextafterf(float, float);
float nexttowardf(float x, long double y)
{
    if (x != x || y != y)
        return x + (float)y;
    return x == y ? (float)y : nextafterf(x, x < y ? __builtin_inff() : -__builtin_inff());
}

/* nexttowardl */
long double nextafterl(long double, long double);
long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }

/* remquol */
/* Of the quotient the last three bits count: the remainder of 8 y is taken first. */
long double fmodl(long double, long double);
long double remquol(long double x, long double y, int *quotient)
{
    if (y == 0 || x - x != 0 || y != y)
        return x * y / (x * y);
    long double most = __LDBL_MAX__, a = x < 0 ? -x : x, b = y < 0 ? -y : y, r = b <= most / 8 ? fmodl(a, 8 * b) : a;
    int n = 0;
    if (b <= most / 4 && r >= 4 * b)
        r -= 4 * b, n += 4;
    if (b <= most / 2 && r >= 2 * b)
        r -= 2 * b, n += 2;
    /* Nearer to the next multiple, or half-way to it and behind an odd one. */
    for (int i = 0; i < 2 && (r > b - r || (r == b - r && n % 2)); i++)
        r -= b, n++;
    *quotient = (x < 0) != (y < 0) ? -n : n;
    r = r == 0 ? 0 : r;
    return __builtin_signbitl(x) ? -r : r;
}

/* fegetenv */
/* What an environment has is the mode and the flags; programs do not look into it. */
int feclearexcept(int), feraiseexcept(int), fetestexcept(int), fegetround(void), fesetround(int);
__attribute__((weak)) int fegetenv(int *environment)
{
    environment[0] = fegetround(), environment[1] = fetestexcept(61);
    return 0;
}
__attribute__((weak)) int feholdexcept(int *environment)
{
    fegetenv(environment);
    return feclearexcept(61);
}
__attribute__((weak)) int fesetenv(const int *environment)
{
    int is_default = environment == (const int *)-1, flags = is_default ? 0 : environment[1];
    fesetround(is_default ? 0 : environment[0]);
    feclearexcept(61);
    return flags ? feraiseexcept(flags) : 0;
}
__attribute__((weak)) int feupdateenv(const int *environment)
{
    int flags = fetestexcept(61);
    fesetenv(environment);
    return flags ? feraiseexcept(flags) : 0;
}
__attribute__((weak)) int fegetexceptflag(unsigned short *flags, int which)
{
    *flags = (unsigned short)fetestexcept(which);
    return 0;
}
__attribute__((weak)) int fesetexceptflag(const unsigned short *flags, int which)
{
    feclearexcept(which);
    return *flags & which ? feraiseexcept(*flags & which) : 0;
}

/* cabs */
double hypot(double, double);
double cabs(double _Complex z) { return hypot(__real__ z, __imag__ z); }

/* carg */
double atan2(double, double);
double carg(double _Complex z) { return atan2(__imag__ z, __real__ z); }

/* creal */
double creal(double _Complex z) { return __real__ z; }

/* cimag */
double cimag(double _Complex z) { return __imag__ z; }

/* conj */
double _Complex conj(double _Complex z) { return ~z; }

/* cabsf */
float hypotf(float, float);
float cabsf(float _Complex z) { return hypotf(__real__ z, __imag__ z); }

/* cargf */
float atan2f(float, float);
float cargf(float _Complex z) { return atan2f(__imag__ z, __real__ z); }

/* crealf */
float crealf(float _Complex z) { return __real__ z; }

/* cimagf */
float cimagf(float _Complex z) { return __imag__ z; }

/* conjf */
float _Complex conjf(float _Complex z) { return ~z; }

/* cabsl */
long double hypotl(long double, long double);
long double cabsl(long double _Complex z) { return hypotl(__real__ z, __imag__ z); }

/* cargl */
long double atan2l(long double, long double);
long double cargl(long double _Complex z) { return atan2l(__imag__ z, __real__ z); }

/* creall */
long double creall(long double _Complex z) { return __real__ z; }

/* cimagl */
long double cimagl(long double _Complex z) { return __imag__ z; }

/* conjl */
long double _Complex conjl(long double _Complex z) { return ~z; }
