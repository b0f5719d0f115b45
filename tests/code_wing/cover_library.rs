//! The C library in runs of `cover`, beside native programs.

use crate::cover_objects::{assert_taken, count, covered, inputs, own, run, written};
use crate::support::compilers::{has, has_clang};

/// Whether what is compared and with what it is compared can be compiled.
fn has_compilers() -> bool {
    has_clang() && has(&["cc", "gcov"])
}

/// That so many branches are taken and open, and no result differs from the native one.
fn assert_counts(file: &str, functions: &[(&str, usize, usize)]) {
    let file = own(file);
    for (function, taken, open) in functions {
        let cover = covered(&file, function);
        assert_eq!((count(&cover, "taken"), count(&cover, "open")), (*taken, *open), "{function}: {cover}");
        let native = &cover["native"];
        assert!(native["same"].as_u64().is_some_and(|n| n > 0), "{function}: {native}");
        assert_eq!(native["different"].as_array().map(Vec::len), Some(0), "{function}: {native}");
    }
}

#[test]
fn rounding_modes_are_those_of_the_native_program() {
    if !has_compilers() {
        return;
    }
    // Open: modes that there are not, and what the mode of one call would be in another.
    let functions = [
        ("is_inexact_quotient", 3, 1),
        ("follows_mode", 4, 2),
        ("whole_upward", 2, 0),
        ("leaves_mode", 5, 1),
        ("asks_for_mode", 1, 1),
    ];
    assert_counts("modes/rounding.c", &functions);
}

#[test]
fn a_function_called_before_each_run_sets_no_other_rounding_mode() {
    if !has_clang() {
        return;
    }
    let file = own("modes/rounding.c");
    let (code, _, err) = run(&file, &["--fn", "leaves_mode", "--before", "set_upward"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("it sets a rounding mode, and runs begin with rounding to the nearest"), "{err}");
}

#[test]
fn texts_are_taken_apart_as_natively() {
    if !has_compilers() {
        return;
    }
    // Open: a text of nothing but separators, no memory for a copy, and a text that does not end where it is copied to.
    assert_counts("strings.c", &[("in_pieces", 11, 1), ("is_duplicate", 10, 2), ("of_bytes", 8, 0)]);
    for (function, branches) in [("in_columns", 16), ("of_random", 2), ("payload", 2)] {
        assert_taken(&own("strings.c"), function, branches);
    }
}

#[test]
fn functions_of_long_double_are_those_of_the_library() {
    if !has_compilers() || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    assert_taken(&own("wide_library.c"), "near_pole", 10);
    assert_taken(&own("wide_library.c"), "has_logarithm", 2);
}

/// Environments, quotients and neighbours.
const REST: &str = "#include <fenv.h>\n#include <math.h>\n#include <stdlib.h>\n\
    int is_quiet(double x, double y)\n{\n  fenv_t e;\n  feholdexcept(&e);\n  volatile double q = x / y;\n  int inexact = fetestexcept(FE_INEXACT);\n  \
    fesetenv(&e);\n  if (inexact) return 1 + fetestexcept(FE_INEXACT);\n  return fetestexcept(FE_INEXACT);\n}\n\
    int is_kept(double x)\n{\n  fexcept_t f;\n  feraiseexcept(FE_INVALID | FE_DIVBYZERO);\n  fegetexceptflag(&f, FE_INVALID);\n  \
    feclearexcept(FE_ALL_EXCEPT);\n  fesetexceptflag(&f, FE_ALL_EXCEPT);\n  if (x > 2) return fetestexcept(FE_ALL_EXCEPT);\n  return 0;\n}\n\
    int quotient(double x, double y)\n{\n  int q = 9;\n  long double r = remquol(x, y, &q);\n  if (q % 8 == 5 && r < 0) return 1;\n  return (int)(q + (r == r ? 4 * (double)r : 1));\n}\n\
    int beside(double x, double y)\n{\n  double up = nexttoward(x, (long double)y + 0.5L);\n  float low = nexttowardf((float)x, -1.0L);\n  \
    if (up > x && low < x) return 1;\n  return nexttowardl(x, y) > x;\n}\n\
    int drawn(unsigned seed)\n{\n  int n = rand_r(&seed);\n  if (n % 64 == 3) return rand_r(&seed) % 1000;\n  return n % 1000;\n}\n\
    int leaves(int n)\n{\n  if (n == 12345) _Exit(3);\n  return n / 2;\n}\n";

#[test]
fn environments_quotients_and_neighbours_are_those_of_the_library() {
    if !has_compilers() || cfg!(not(target_arch = "x86_64")) {
        return;
    }
    let (_folder, file) = written(REST, "c");
    for function in ["is_quiet", "is_kept", "quotient", "beside", "drawn", "leaves"] {
        let cover = covered(&file, function);
        assert_eq!(
            count(&cover, "open") + count(&cover, "infeasible") + count(&cover, "given"),
            0,
            "{function}: {cover}"
        );
        let native = &cover["native"];
        assert!(native["same"].as_u64().is_some_and(|n| n > 1), "{function}: {native}");
        assert_eq!(native["different"].as_array().map(Vec::len), Some(0), "{function}: {native}");
    }
}

/// Messages, random numbers of 48 bits, characters of several bytes and aligned memory.
const OTHERS: &str = "#include <errno.h>\n#include <stdlib.h>\n#include <string.h>\n#include <wchar.h>\n\
    static unsigned long mixed(unsigned long h, unsigned long n) { return (h ^ n) * 1099511628211ul; }\n\
    static unsigned long of_text(const char *s)\n{\n  unsigned long h = 7;\n  while (*s) h = mixed(h, (unsigned char)*s++);\n  return h;\n}\n\
    unsigned long messages(int n)\n{\n  unsigned long h = 0;\n  errno = 3;\n  for (int k = -2; k < 200; k++) h = mixed(h, of_text(strerror(k)));\n  \
    return n > 4 ? h + errno : of_text(strerror(n)) + 1;\n}\n\
    int has_message(int n)\n{\n  const char *s = strerror(n);\n  if (strncmp(s, \"Unknown\", 7) == 0) return 1;\n  return s[0] == 'N' && s[3] == 's' ? 2 : 3;\n}\n\
    unsigned long drawn_48(long seed, unsigned short a)\n{\n  unsigned short x[3] = {a, 17, 40000}, p[7] = {1, 2, a, 4, 65535, 6, 7};\n  double s = drand48();\n  \
    srand48(seed);\n  s += drand48();\n  s += erand48(x);\n  unsigned long h = mixed(5, (unsigned long)lrand48());\n  h = mixed(h, (unsigned long)mrand48());\n  \
    h = mixed(h, (unsigned long)nrand48(x));\n  h = mixed(h, (unsigned long)jrand48(x));\n  unsigned short *old = seed48(x);\n  \
    h = mixed(h, old[0] + old[1] * 3ul + old[2] * 7ul);\n  h = mixed(h, (unsigned long)jrand48(x));\n  lcong48(p);\n  h = mixed(h, (unsigned long)mrand48());\n  \
    s += erand48(x);\n  h = mixed(h, (unsigned long)(s * 1e15) + x[0] + x[1] * 5ul + x[2]);\n  return lrand48() >> 28 == 3 ? h : h + 1;\n}\n\
    int of_bytes(int n)\n{\n  char s[4] = {(char)n, (char)(n >> 8), 'c', 0}, to[9] = {1};\n  wchar_t w = 5, ws[4] = {n, 'b', 0, 9}, many[5] = {8, 8, 8, 8, 8};\n  \
    errno = 0;\n  int k = mbtowc(&w, s, (size_t)(n & 3));\n  unsigned long h = mixed((unsigned long)k, (unsigned long)w * 1000 + (unsigned long)errno);\n  errno = 0;\n  \
    h = mixed(h, (unsigned long)(mblen(s, 3) + 10 * mblen(0, 1) + 100 * wctomb(0, 'x') + 1000 * mbtowc(0, s, 1)));\n  h = mixed(h, (unsigned long)wctomb(to, n));\n  \
    h = mixed(h, (unsigned long)errno);\n  errno = 0;\n  h = mixed(h, mbstowcs(many, s, 3));\n  h = mixed(h, mbstowcs(0, s, 0));\n  \
    h = mixed(h, wcstombs(to + 1, ws, 2));\n  h = mixed(h, wcstombs(0, ws, 0));\n  \
    for (int i = 0; i < 5; i++) h = mixed(h, (unsigned long)many[i] + (unsigned char)to[i]);\n  h = mixed(h, (unsigned long)errno + MB_CUR_MAX);\n  \
    if (k < 0) return (int)(h % 1000);\n  return k == 0 ? (int)(h % 999) : (int)(h % 998);\n}\n\
    int aligned(int n)\n{\n  void *p = &n;\n  errno = 0;\n  int k = posix_memalign(&p, (size_t)n, 24);\n  if (k) return 100 * (p == &n) + k + errno;\n  \
    ((char *)p)[23] = 4;\n  free(p);\n  if (n == 64) return 3;\n  return 2;\n}\n";

#[test]
fn messages_and_characters_are_those_of_the_library() {
    if !has_compilers() || cfg!(not(target_os = "linux")) {
        return;
    }
    let (_folder, file) = written(OTHERS, "c");
    for function in ["messages", "has_message", "drawn_48", "of_bytes", "aligned"] {
        let cover = covered(&file, function);
        assert_eq!(count(&cover, "open") + count(&cover, "infeasible"), 0, "{function}: {cover}");
        let native = &cover["native"];
        assert!(native["same"].as_u64().is_some_and(|n| n > 0), "{function}: {native}");
        assert_eq!(native["different"].as_array().map(Vec::len), Some(0), "{function}: {native}");
    }
}

#[test]
fn calls_that_allocate_may_fail() {
    if !has_compilers() {
        return;
    }
    let file = own("failure.c");
    // Open: `errno` that is not set.
    assert_counts("failure.c", &[("makes_pair", 11, 1)]);
    let cover = covered(&file, "makes_pair");
    assert_eq!(inputs(&cover), ["x", "malloc.fails"]);
    // A specification judges what a function returns that has its memory.
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("pair.fpcore");
    std::fs::write(&spec, "(FPCore (x) :name \"pair\" :pre (<= 0 x 7) 0)").unwrap();
    let (code, _, err) = run(&file, &["--fn", "makes_pair", "--spec", spec.to_str().unwrap(), "--json"]);
    assert_eq!(code, Some(0), "{err}");
}
