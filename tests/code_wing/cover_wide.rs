//! `long double` of the C library in runs of `cover`, and complex numbers of it, beside native programs.

use crate::cover_objects::{assert_taken, written};
use crate::support::compilers::{has, has_clang};

fn has_all() -> bool {
    has_clang() && has(&["cc", "gcov"]) && cfg!(target_arch = "x86_64")
}

/// What all these look at: the bits of a number, and one for all NaNs.
const BITS: &str = "#include <complex.h>\n#include <errno.h>\n#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n\
    static unsigned long bits(long double x)\n{\n  union { long double x; unsigned long w[2]; } u = {0};\n  u.x = x;\n  \
    return x != x ? 77 : u.w[0] * 31 + (u.w[1] & 0xffff);\n}\n\
    static unsigned long mixed(unsigned long h, unsigned long n) { return (h ^ n) * 1099511628211ul; }\n";

/// Numbers at the ends, half-way between two, and what is no number.
const TEXTS: &str = "static unsigned long of(const char *s)\n{\n  char *end;\n  errno = 0;\n  unsigned long h = bits(strtold(s, &end));\n  \
    return mixed(mixed(5, h), (unsigned long)errno * 100 + (unsigned long)(end - s));\n}\n\
    unsigned long ordinary(int n)\n{\n  static const char *const texts[] = {\"\", \"-\", \"0\", \" -0.0e99999\", \"+12.5x\", \"1e\", \"0x\", \"0x.p1\", \"1.5e+\", \"nan\", \"-NAN()\", \"nan(\", \
    \"inf\", \"-Infinity\", \"infinit\", \"0.1\", \"-1e4999999999999\", \"1e-99999\", \"0x1p-16445\", \"-0x1p-16446\", \
    \"0x1.0000000000001p-16446\", \"0x1.fffffffffffffffep16383\", \"0x1.ffffffffffffffffp16383\", \
    \"0x1.fffffffffffffffep-16383\", \
    \"36893488147419103233\", \"36893488147419103235\", \
    \"36893488147419103233.00000000000000000000000000000000000000000001\", \"0x1.00000000000000010p3\", \
    \"0x1.000000000000000100000000001p3\", \"123456789012345678901234567890e-10\", \"1e30\", \"4.35e-30\"};\n  unsigned long h = 0;\n  \
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) h = mixed(h, of(texts[i]));\n  return n > 4 ? h : h + 1;\n}\n\
    unsigned long large(int n)\n{\n  static const char *const texts[] = {\"1e4932\", \"1.18973149535723176509e4932\"};\n  unsigned long h = 0;\n  \
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) h = mixed(h, of(texts[i]));\n  return n > 4 ? h : h + 1;\n}\n\
    unsigned long small(int n)\n{\n  static const char *const texts[] = {\"1.9e-4951\"};\n  unsigned long h = 0;\n  \
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) h = mixed(h, of(texts[i]));\n  return n > 4 ? h : h + 1;\n}\n\
    unsigned long beyond(int n)\n{\n  static const char *const texts[] = {\"1e4933\", \"1.8e-4951\"};\n  unsigned long h = 0;\n  \
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) h = mixed(h, of(texts[i]));\n  return n > 4 ? h : h + 1;\n}\n\
    unsigned long least(int n)\n{\n  static const char *const texts[] = {\"3.36210314311209350617e-4932\", \"3.3621031431120935063e-4932\", \"0x1.ffffffffffffffffp-16383\", \"0x0.ffffffffffffffff8p-16382\"};\n  unsigned long h = 0;\n  \
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) h = mixed(h, of(texts[i]));\n  return n > 4 ? h : h + 1;\n}\n\
    int is_over(char a, char b)\n{\n  const char s[] = {'7', 'e', a, b, 0};\n  char *end;\n  long double x = strtold(s, &end);\n  \
    if (x > 1e30L) return 1;\n  return *end ? 2 : 3;\n}\n\
    int payload(int n)\n{\n  static const char *const texts[] = {\"\", \"1\", \"0x123456789abcdef01\", \"077\", \"9x\", \"99999999999999999999\", \"4611686018427387904\"};\n  \
    unsigned long h = 0;\n  for (int i = 0; i < 7; i++) {\n    union { long double x; unsigned long w[2]; } u = {0};\n    u.x = nanl(texts[i]);\n    \
    h = mixed(h, u.w[0] + u.w[1]);\n  }\n  return n > 3 ? (int)(h >> 40) : 0;\n}\n";

#[test]
fn long_doubles_from_text_are_those_of_the_library() {
    if !has_all() {
        return;
    }
    let (_folder, file) = written(&format!("{BITS}{TEXTS}"), "c");
    for (function, branches) in
        [("ordinary", 4), ("large", 4), ("small", 4), ("beyond", 4), ("least", 4), ("is_over", 4), ("payload", 4)]
    {
        assert_taken(&file, function, branches);
    }
}

/// Every function at the special values of both parts, and what operators call.
const COMPLEX: &str = "typedef long double _Complex complex_of_all;\n\
    static complex_of_all made(long double x, long double y)\n{\n  complex_of_all z;\n  __real__ z = x;\n  __imag__ z = y;\n  return z;\n}\n\
    static complex_of_all product(complex_of_all z) { return z * (1.5L - 2.0Li) * z; }\n\
    static complex_of_all quotient(complex_of_all z) { return (3.0L + 0.25Li) / z + z / 7.0L; }\n\
    static complex_of_all power(complex_of_all z) { return cpowl(z, 0.75L - 2.0Li); }\n\
    static complex_of_all conjugate(complex_of_all z) { return conjl(z); }\n\
    static complex_of_all parts(complex_of_all z) { return made(cabsl(z) + creall(z), cargl(z) - cimagl(z)); }\n\
    static unsigned long over(complex_of_all (*const *all)(complex_of_all), int count, double x)\n{\n  \
    const long double special[] = {0, -0.0L, -2.5L, HUGE_VALL, -HUGE_VALL, NAN, 0x1p-16445L, 1e4932L, 11400, x};\n  \
    unsigned long h = 0;\n  for (int f = 0; f < count; f++)\n    for (int i = 0; i < 10; i++)\n      for (int j = 0; j < 10; j++) {\n        \
    errno = 0;\n        complex_of_all z = all[f](made(special[i], special[j]));\n        h = mixed(mixed(h, bits(creall(z))), bits(cimagl(z)));\n        \
    h = mixed(h, (unsigned long)errno);\n      }\n  return h;\n}\n\
    unsigned long of_one(double x)\n{\n  static complex_of_all (*const all[])(complex_of_all) = {cexpl, clogl, csqrtl, csinl, ccosl, ctanl, casinl, \
    cacosl, catanl};\n  unsigned long h = over(all, 9, x);\n  return x > 2 ? h : h + 1;\n}\n\
    unsigned long of_two(double x)\n{\n  static complex_of_all (*const all[])(complex_of_all) = {csinhl, ccoshl, ctanhl, casinhl, cacoshl, catanhl, cprojl, \
    power, conjugate};\n  unsigned long h = over(all, 9, x);\n  return x > 2 ? h : h + 1;\n}\n\
    unsigned long of_operators(double x)\n{\n  static complex_of_all (*const all[])(complex_of_all) = {product, quotient, parts};\n  \
    unsigned long h = over(all, 3, x);\n  return x > 2 ? h : h + 1;\n}\n\
    int is_on_circle(double x, double y)\n{\n  complex_of_all z = cexpl(made(x, y));\n  if (cabsl(z) > 2.0L && cimagl(z) < -1.0L) return 1;\n  \
    return creall(csqrtl(z * z)) == 1.0L;\n}\n";

#[test]
fn complex_numbers_of_long_double_are_those_of_the_library() {
    if !has_all() {
        return;
    }
    let (_folder, file) = written(&format!("{BITS}{COMPLEX}"), "c");
    for (function, branches) in [("of_one", 2), ("of_two", 2), ("of_operators", 2), ("is_on_circle", 8)] {
        assert_taken(&file, function, branches);
    }
}

/// Those that store something or take an order.
const MORE: &str = "long double lgammal_r(long double, int *), significandl(long double), j0l(long double), j1l(long double), jnl(int, long double), \
    y0l(long double), y1l(long double), ynl(int, long double);\nvoid sincosl(long double, long double *, long double *);\ndouble significand(double);\n\
    unsigned long of_more(double x)\n{\n  const long double special[] = {0, -0.0L, 1, -2.5L, 0.3L, -3, HUGE_VALL, -HUGE_VALL, NAN, 0x1p-16445L, 0x1p-16382L, 1e4932L, 11400, x};\n  \
    unsigned long h = 0;\n  for (int i = 0; i < 14; i++) {\n    long double v = special[i], s = 5, c = 6;\n    int sign = 9;\n    errno = 0;\n    \
    sincosl(v, &s, &c);\n    h = mixed(mixed(h, bits(s)), bits(c));\n    h = mixed(h, bits(lgammal_r(v, &sign)));\n    \
    h = mixed(h, (unsigned long)sign);\n    h = mixed(h, bits(significandl(v)) + (unsigned long)errno);\n    h = mixed(h, bits(significand((double)v)));\n    \
    h = mixed(mixed(h, bits(j0l(v))), bits(j1l(v)));\n    h = mixed(mixed(h, bits(y0l(v))), bits(y1l(v)));\n    \
    h = mixed(mixed(h, bits(jnl(3, v))), bits(ynl(-2, v)));\n    h = mixed(h, (unsigned long)errno);\n  }\n  return x > 3 ? h : h + 1;\n}\n";

#[test]
fn functions_of_long_double_that_store_are_those_of_the_library() {
    if !has_all() {
        return;
    }
    let (_folder, file) = written(&format!("{BITS}{MORE}"), "c");
    assert_taken(&file, "of_more", 4);
}
