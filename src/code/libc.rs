//! Functions and variables of C's library that are written in C and compiled with the code that uses them.

/// Each with its name.
const PARTS: [(&str, &str); 22] = [
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

/// The text that defines those of these names that are known; none where that is none.
pub(super) fn text<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut all: Vec<&str> = names.filter_map(|n| PARTS.iter().find(|(name, _)| *name == n)).map(|(_, c)| *c).collect();
    all.sort_unstable();
    all.dedup();
    (!all.is_empty()).then(|| all.join("\n"))
}

/// Whether a name is among them.
pub(super) fn has(name: &str) -> bool {
    PARTS.iter().any(|(own, _)| *own == name)
}

/// The variable that `errno` is.
pub(crate) const ERRNO: &str = "magneto_errno";
