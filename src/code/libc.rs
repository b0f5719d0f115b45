//! Functions and variables of C's library that are written in C and compiled with the code that uses them.

mod messages;

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Each with its name.
const PARTS: &[(&str, &str)] = &[
    ("__errno_location", "int magneto_errno; int *__errno_location(void) { return &magneto_errno; }"),
    ("__error", "int magneto_errno; int *__error(void) { return &magneto_errno; }"),
    // Streams are told apart and not looked into.
    ("stdin", "static char magneto_in[256]; void *stdin = magneto_in;"),
    ("stdout", "static char magneto_out[256]; void *stdout = magneto_out;"),
    ("stderr", "static char magneto_err[256]; void *stderr = magneto_err;"),
    ("abs", "int abs(int n) { return n < 0 ? -n : n; }"),
    ("labs", "long labs(long n) { return n < 0 ? -n : n; }"),
    ("llabs", "long long llabs(long long n) { return n < 0 ? -n : n; }"),
    ("isinf", "int isinf(double x) { return __builtin_isinf_sign(x); }"),
    ("isnan", "int isnan(double x) { return __builtin_isnan(x); }"),
    ("finite", "int finite(double x) { return __builtin_isfinite(x); }"),
    ("isinff", "int isinff(float x) { return __builtin_isinf_sign(x); }"),
    ("isnanf", "int isnanf(float x) { return __builtin_isnan(x); }"),
    ("finitef", "int finitef(float x) { return __builtin_isfinite(x); }"),
    ("strlen", "unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }"),
    (
        "strcmp",
        "int strcmp(const char *a, const char *b) {\n    while (*a && *a == *b) a++, b++;\n    \
         return (unsigned char)*a - (unsigned char)*b;\n}",
    ),
    (
        "strncmp",
        "int strncmp(const char *a, const char *b, unsigned long n) {\n    for (; n; n--, a++, b++)\n        \
         if (*a != *b || !*a) return (unsigned char)*a - (unsigned char)*b;\n    return 0;\n}",
    ),
    (
        "memcmp",
        "int memcmp(const void *p, const void *q, unsigned long n) {\n    const unsigned char *a = p, *b = q;\n    \
         for (; n; n--, a++, b++)\n        if (*a != *b) return *a - *b;\n    return 0;\n}",
    ),
    (
        "strchr",
        "char *strchr(const char *s, int c) {\n    for (; *s != (char)c; s++)\n        if (!*s) return 0;\n    \
         return (char *)s;\n}",
    ),
    ("strcpy", "char *strcpy(char *to, const char *s) { char *p = to; while ((*p++ = *s++)) ; return to; }"),
    (
        "memchr",
        "void *memchr(const void *p, int c, unsigned long n) {\n    const unsigned char *s = p;\n    \
         for (; n; n--, s++)\n        if (*s == (unsigned char)c) return (void *)s;\n    return 0;\n}",
    ),
    (
        "strrchr",
        "char *strrchr(const char *s, int c) {\n    const char *last = 0;\n    do if (*s == (char)c) last = s; while (*s++);\n    \
         return (char *)last;\n}",
    ),
    (
        "strncpy",
        "char *strncpy(char *to, const char *s, unsigned long n) {\n    unsigned long i = 0;\n    for (; i < n && s[i]; i++) to[i] = \
         s[i];\n    for (; i < n; i++) to[i] = 0;\n    return to;\n}",
    ),
    (
        "strcat",
        "char *strcat(char *to, const char *s) {\n    char *p = to;\n    while (*p) p++;\n    while ((*p++ = *s++)) ;\n    return to;\n}",
    ),
    (
        "strstr",
        "char *strstr(const char *s, const char *part) {\n    for (;; s++) {\n        unsigned long i = 0;\n        while (part[i] && \
         s[i] == part[i]) i++;\n        if (!part[i]) return (char *)s;\n        if (!*s) return 0;\n    }\n}",
    ),
    (
        "strspn",
        "unsigned long strspn(const char *s, const char *set) {\n    unsigned long n = 0;\n    for (; s[n]; n++) {\n        const \
         char *c = set;\n        while (*c && *c != s[n]) c++;\n        if (!*c) break;\n    }\n    return n;\n}",
    ),
    (
        "strcspn",
        "unsigned long strcspn(const char *s, const char *set) {\n    unsigned long n = 0;\n    for (; s[n]; n++)\n        for \
         (const char *c = set; *c; c++)\n            if (*c == s[n]) return n;\n    return n;\n}",
    ),
    ("isdigit", "int isdigit(int c) { return c >= '0' && c <= '9' ? 2048 : 0; }"),
    ("isspace", "int isspace(int c) { return c == ' ' || (c >= 9 && c <= 13) ? 8192 : 0; }"),
    ("isupper", "int isupper(int c) { return c >= 'A' && c <= 'Z' ? 256 : 0; }"),
    ("islower", "int islower(int c) { return c >= 'a' && c <= 'z' ? 512 : 0; }"),
    ("isalpha", "int isalpha(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? 1024 : 0; }"),
    (
        "isalnum",
        "int isalnum(int c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? 8 : 0; }",
    ),
    (
        "isxdigit",
        "int isxdigit(int c) { return (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') ? 4096 : 0; }",
    ),
    ("isprint", "int isprint(int c) { return c >= 32 && c <= 126 ? 16384 : 0; }"),
    (
        "ispunct",
        "int ispunct(int c) { return (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) || (c >= 123 && c <= 126) \
         ? 4 : 0; }",
    ),
    ("tolower", "int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c >= -128 && c < -1 ? c + 256 : c; }"),
    ("toupper", "int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c >= -128 && c < -1 ? c + 256 : c; }"),
    // The tables of glibc for the locale in which programs begin.
    (
        "__ctype_b_loc",
        "static unsigned short magneto_kinds[384]; static const unsigned short *magneto_kind;\n\
         const unsigned short **__ctype_b_loc(void) {\n    if (!magneto_kind) {\n        for (int c = 0; c < 128; c++) {\n            int \
         upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9', graph = c > 32 && c < 127;\n            \
         int hex = digit || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'), space = c == 32 || (c >= 9 && c <= 13);\n            \
         magneto_kinds[128 + c] = upper << 8 | lower << 9 | (upper || lower) << 10 | digit << 11 | hex << 12 | space << 13 | (c >= 32 && c < \
         127) << 14 | graph << 15 | (c == 32 || c == 9) | (c < 32 || c == 127) << 1 | (graph && !upper && !lower && !digit) << 2 | (upper || \
         lower || digit) << 3;\n        }\n        magneto_kind = magneto_kinds + 128;\n    }\n    return &magneto_kind;\n}",
    ),
    ("strtol", INTEGERS),
    ("strtoll", INTEGERS),
    ("strtoul", INTEGERS),
    ("strtoull", INTEGERS),
    ("strtoimax", INTEGERS),
    ("strtoumax", INTEGERS),
    ("__isoc23_strtol", INTEGERS),
    ("__isoc23_strtoll", INTEGERS),
    ("__isoc23_strtoul", INTEGERS),
    ("__isoc23_strtoull", INTEGERS),
    ("atoi", INTEGERS),
    ("atol", INTEGERS),
    ("atoll", INTEGERS),
    ("strtod", NUMBERS),
    ("strtof", NUMBERS),
    ("atof", NUMBERS),
    ("strtold", WIDE_NUMBERS),
    ("snprintf", NUMBERS),
    ("sprintf", NUMBERS),
    ("printf", NUMBERS),
    ("fprintf", NUMBERS),
    ("vsnprintf", NUMBERS),
    ("vsprintf", NUMBERS),
    ("vprintf", NUMBERS),
    ("vfprintf", NUMBERS),
    ("sscanf", SCANS),
    ("__isoc99_sscanf", SCANS),
    ("__isoc23_sscanf", SCANS),
    ("vsscanf", SCANS),
    ("__isoc99_vsscanf", SCANS),
    ("__isoc23_vsscanf", SCANS),
    ("magneto_va_start", LISTS),
    ("magneto_va_copy", LISTS),
    // What is written to streams is lost.
    ("puts", "int puts(const char *s) { int n = 1; while (*s++) n++; return n; }"),
    ("fputs", "int fputs(const char *s, void *f) { return 1; }"),
    ("putchar", "int putchar(int c) { return (unsigned char)c; }"),
    ("fputc", "int fputc(int c, void *f) { return (unsigned char)c; }"),
    ("putc", "int putc(int c, void *f) { return (unsigned char)c; }"),
    ("fflush", "int fflush(void *f) { return 0; }"),
    ("perror", "void perror(const char *s) {}"),
    (
        "strncat",
        "char *strncat(char *to, const char *s, unsigned long n) {\n    char *p = to;\n    while (*p) p++;\n    for (; n && *s; n--) *p++ = \
         *s++;\n    *p = 0;\n    return to;\n}",
    ),
    (
        "strnlen",
        "unsigned long strnlen(const char *s, unsigned long n) { unsigned long k = 0; while (k < n && s[k]) k++; return k; }",
    ),
    (
        "strpbrk",
        "char *strpbrk(const char *s, const char *set) {\n    for (; *s; s++)\n        for (const char *c = set; *c; c++)\n            if (*c == \
         *s) return (char *)s;\n    return 0;\n}",
    ),
    ("imaxabs", "long imaxabs(long n) { return n < 0 ? -n : n; }"),
    // What `new` and `delete` of C++ come to. Where there is no memory, `new` throws.
    ("_Znwm", NEW),
    ("_Znam", NEW),
    ("_ZnwmRKSt9nothrow_t", NEW_OR_NOTHING),
    ("_ZnamRKSt9nothrow_t", NEW_OR_NOTHING),
    ("_ZdlPv", DELETE),
    ("_ZdaPv", DELETE),
    ("_ZdlPvm", DELETE),
    ("_ZdaPvm", DELETE),
    // Instructions of x86-64 in inline assembly. What they leave of 0 is not known.
    (
        "magneto_bsr_64",
        "void magneto_bsr_of_0(void); long magneto_bsr_64(long x) { if (!x) magneto_bsr_of_0(); return 63 - __builtin_clzl(x); }",
    ),
    (
        "magneto_bsr_32",
        "void magneto_bsr_of_0(void); int magneto_bsr_32(int x) { if (!x) magneto_bsr_of_0(); return 31 - __builtin_clz(x); }",
    ),
    (
        "magneto_bsf_64",
        "void magneto_bsf_of_0(void); long magneto_bsf_64(long x) { if (!x) magneto_bsf_of_0(); return __builtin_ctzl(x); }",
    ),
    (
        "magneto_bsf_32",
        "void magneto_bsf_of_0(void); int magneto_bsf_32(int x) { if (!x) magneto_bsf_of_0(); return __builtin_ctz(x); }",
    ),
    // gcc says that it is 1, to the nearest, whatever the mode is; clang asks.
    (
        "magneto_flt_rounds",
        "int fegetround(void); int magneto_flt_rounds(void) { if (fegetround()) __builtin_trap(); return 1; }",
    ),
    // The clock stands still at 0, in native programs that are compared with runs as well; proofs know nothing of it.
    (
        "time",
        "long magneto_clock(void); long time(long *t) { long now = magneto_clock(); if (t) *t = now; return now; }",
    ),
    ("clock", "long magneto_clock(void); long clock(void) { return magneto_clock(); }"),
    (
        "gettimeofday",
        "long magneto_clock(void); int gettimeofday(long *t, void *zone) { if (t) t[0] = magneto_clock(), t[1] = 0; return 0; }",
    ),
    (
        "clock_gettime",
        "long magneto_clock(void); int clock_gettime(int id, long *t) { if (t) t[0] = magneto_clock(), t[1] = 0; return 0; }",
    ),
    (STEADY, "long magneto_clock(void); long _ZNSt6chrono3_V212steady_clock3nowEv(void) { return magneto_clock(); }"),
    (SYSTEM, "long magneto_clock(void); long _ZNSt6chrono3_V212system_clock3nowEv(void) { return magneto_clock(); }"),
    // What is registered here is called when the program ends.
    ("__cxa_atexit", "int __cxa_atexit(void (*f)(void *), void *p, void *d) { return 0; }"),
    (
        "qsort",
        "void qsort(void *p, unsigned long n, unsigned long size, int (*less)(const void *, const void *)) {\n    char *a = \
         p;\n    for (unsigned long i = 1; i < n; i++)\n        for (unsigned long j = i; j && less(a + (j - 1) * size, a + j * \
         size) > 0; j--)\n            for (unsigned long k = 0; k < size; k++) {\n                char c = a[j * size + k];\n                \
         a[j * size + k] = a[(j - 1) * size + k];\n                a[(j - 1) * size + k] = c;\n            }\n}",
    ),
    (
        "bsearch",
        "void *bsearch(const void *key, const void *p, unsigned long n, unsigned long size, int (*less)(const void *, const void \
         *)) {\n    const char *a = p;\n    while (n) {\n        const char *at = a + n / 2 * size;\n        int c = less(key, \
         at);\n        if (!c) return (void *)at;\n        if (c > 0) a = at + size, n -= n / 2 + 1; else n /= 2;\n    }\n    \
         return 0;\n}",
    ),
];

/// Integers from text.
const INTEGERS: &str = include_str!("include/strtol.c");
/// The clocks of C++.
const STEADY: &str = "_ZNSt6chrono3_V212steady_clock3nowEv";
const SYSTEM: &str = "_ZNSt6chrono3_V212system_clock3nowEv";

/// The functions that ask the time, which native programs have from the driver.
pub(super) const CLOCKS: [&str; 6] = ["time", "clock", "gettimeofday", "clock_gettime", STEADY, SYSTEM];

/// Floats from text, and text from numbers.
const NUMBERS: &str = concat!(include_str!("include/strtod.c"), include_str!("include/printf.c"));

/// Floats of `long double` from text; it follows [`NUMBERS`].
const WIDE_NUMBERS: &str = include_str!("include/strtold.c");

/// Values from text; it follows [`NUMBERS`] and [`INTEGERS`].
const SCANS: &str = include_str!("include/scan.c");

/// A list of arguments of x86-64 begins behind its registers, at the address that WebAssembly puts first.
const LISTS: &str = "void magneto_va_start(void *list) {\n    char *rest = *(char **)list;\n    ((int *)list)[0] = 48, ((int *)list)[1] = 176;\n    \
                     ((char **)list)[1] = rest, ((char **)list)[2] = 0;\n}\nvoid magneto_va_copy(void *to, const void *from) {\n    \
                     for (int i = 0; i < 3; i++) ((long *)to)[i] = ((const long *)from)[i];\n}";

const NEW: &str = "void *magneto_allocate(unsigned long); void _ZSt17__throw_bad_allocv(void);\n\
                   static void *magneto_new(unsigned long n) {\n    void *p = magneto_allocate(n ? n : 1);\n    \
                   if (!p) _ZSt17__throw_bad_allocv();\n    return p;\n}\n\
                   void *_Znwm(unsigned long n) { return magneto_new(n); }\nvoid *_Znam(unsigned long n) { return magneto_new(n); }";
const NEW_OR_NOTHING: &str = "void *magneto_allocate(unsigned long);\n\
                              void *_ZnwmRKSt9nothrow_t(unsigned long n, const void *c) { return magneto_allocate(n ? n : 1); }\n\
                              void *_ZnamRKSt9nothrow_t(unsigned long n, const void *c) { return magneto_allocate(n ? n : 1); }";
const DELETE: &str = "void free(void *);\nvoid _ZdlPv(void *p) { free(p); }\nvoid _ZdaPv(void *p) { free(p); }\n\
                      void _ZdlPvm(void *p, unsigned long n) { free(p); }\nvoid _ZdaPvm(void *p, unsigned long n) { free(p); }";

/// A function of complex numbers, which the host has as one of their parts (see `host::complex`).
fn complex(name: &str) -> Option<String> {
    const OF_ONE: [&str; 16] = [
        "cexp", "clog", "csqrt", "csin", "ccos", "ctan", "casin", "cacos", "catan", "csinh", "ccosh", "ctanh",
        "casinh", "cacosh", "catanh", "cproj",
    ];
    let is_of_doubles = |double: &&str| OF_ONE.contains(double) || *double == "cpow";
    let single = name.strip_suffix('f').filter(is_of_doubles);
    let wide = name.strip_suffix('l').filter(is_of_doubles);
    let t = match name {
        _ if single.is_some() => "float",
        _ if wide.is_some() => "long double",
        "__mulsc3" | "__divsc3" => "float",
        "__mulxc3" | "__divxc3" => "long double",
        _ => "double",
    };
    let (parameters, arguments) = match single.or(wide).unwrap_or(name) {
        one if OF_ONE.contains(&one) => (format!("{t} _Complex z"), "__real__ z, __imag__ z"),
        "cpow" => (format!("{t} _Complex z, {t} _Complex u"), "__real__ z, __imag__ z, __real__ u, __imag__ u"),
        // What compilers call for products and quotients.
        "__muldc3" | "__divdc3" | "__mulsc3" | "__divsc3" | "__mulxc3" | "__divxc3" => {
            (format!("{t} a, {t} b, {t} c, {t} d"), "a, b, c, d")
        }
        _ => return None,
    };
    let types = vec![t; arguments.split(", ").count()].join(", ");
    Some(format!(
        "void magneto_{name}({types}, {t} *, {t} *);\n{t} _Complex {name}({parameters}) {{\n    {t} x, y;\n    \
         magneto_{name}({arguments}, &x, &y);\n    {t} _Complex w;\n    __real__ w = x;\n    __imag__ w = y;\n    return w;\n}}"
    ))
}

/// Functions of texts and others, each under a line with its name.
const NAMED: [&str; 4] = [
    include_str!("include/strings.c"),
    include_str!("include/stdlib.c"),
    include_str!("include/random.c"),
    include_str!("include/floats.c"),
];

/// The text of a function in [`NAMED`].
fn named(name: &str) -> Option<&'static str> {
    // Those that stand together.
    let name = match name {
        "rand" | "random" | "srandom" => "srand",
        "nanf" | "nanl" => "nan",
        "erand48" | "lrand48" | "nrand48" | "mrand48" | "jrand48" | "srand48" | "seed48" | "lcong48" => "drand48",
        "mblen" | "wctomb" | "mbstowcs" | "wcstombs" => "mbtowc",
        "feholdexcept" | "fesetenv" | "feupdateenv" | "fegetexceptflag" | "fesetexceptflag" => "fegetenv",
        own => own,
    };
    let (_, rest) = NAMED.iter().find_map(|text| text.split_once(&format!("\n/* {name} */\n")))?;
    // Between functions there is an empty line.
    rest.split("\n\n").next()
}

/// The text of a function or variable; none where it is not known.
fn part(name: &str) -> Option<Cow<'static, str>> {
    let known = PARTS.iter().find(|(own, _)| *own == name).map(|(_, text)| *text);
    known
        .or_else(|| named(name))
        .or_else(|| messages::part(name))
        .map(Cow::Borrowed)
        .or_else(|| complex(name).map(Cow::Owned))
}

/// The text that defines those of these names that are known; none where that is none.
pub(super) fn text<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut all: BTreeSet<Cow<'_, str>> = names.filter_map(part).collect();
    let last: Vec<Cow<'_, str>> =
        [SCANS, WIDE_NUMBERS].map(Cow::Borrowed).into_iter().filter(|text| all.remove(text)).collect();
    if !last.is_empty() {
        all.insert(NUMBERS.into());
    }
    if last.contains(&SCANS.into()) {
        all.insert(INTEGERS.into());
    }
    let text = all.into_iter().chain(last).collect::<Vec<_>>().join("\n");
    (!text.is_empty()).then_some(text)
}

/// Functions whose results are others after `setlocale`.
const LOCAL: &str = "\
    strcoll strxfrm strcasecmp strncasecmp strcasestr isblank iscntrl isgraph __ctype_tolower_loc \
    __ctype_toupper_loc sscanf vsscanf __isoc99_sscanf __isoc99_vsscanf __isoc23_sscanf __isoc23_vsscanf \
    strtod strtof strtold strerror strerror_r mblen mbtowc wctomb mbstowcs wcstombs __ctype_get_mb_cur_max \
    atof snprintf sprintf printf fprintf vsnprintf vsprintf vprintf vfprintf strtol strtoll strtoul strtoull \
    strtoimax strtoumax __isoc23_strtol __isoc23_strtoll __isoc23_strtoul __isoc23_strtoull atoi atol atoll \
    isspace isupper islower isalpha isalnum isprint ispunct tolower toupper __ctype_b_loc";

/// Whether a function of the library depends on the locale.
pub(super) fn depends_on_locale(name: &str) -> bool {
    LOCAL.split(' ').any(|own| own == name)
}

/// Whether a name is among them.
pub(super) fn has(name: &str) -> bool {
    part(name).is_some()
}

/// Whether a function of the library writes to a stream.
pub(super) fn writes_to_streams(name: &str) -> bool {
    ["printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "fputc", "putc", "fflush", "perror"]
        .contains(&name)
}

/// The variable that `errno` is.
pub(crate) const ERRNO: &str = "magneto_errno";
