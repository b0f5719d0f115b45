//! Functions of C's library whose results depend on their arguments, on memory and on the state of the floating-point unit
//! alone. A function that is not here may read anything.

/// How the names of the system's own libraries begin: what they do is known by their functions' names.
const SYSTEM: [&str; 20] = [
    "ld-linux",
    "ld-musl",
    "ld64.so",
    "ld-2.",
    "libc.so",
    "libc-2.",
    "libm.so",
    "libm-2.",
    "libmvec.so",
    "libmvec-2.",
    "libpthread.so",
    "libpthread-2.",
    "libdl.so",
    "libdl-2.",
    "librt.so",
    "librt-2.",
    "libgcc_s.so",
    "libgcc_s-",
    "libquadmath.so",
    "libstdc++.so",
];

/// Functions of `math.h` and `complex.h`; each is there for `float` and `long double` too.
const REAL: &str = include_str!("math.txt");

/// The others.
const OTHERS: [&str; 124] = [
    // What compilers put in, and stacks that are checked.
    "__gmon_start__",
    "_ITM_deregisterTMCloneTable",
    "_ITM_registerTMCloneTable",
    "__cxa_finalize",
    "__stack_chk_fail",
    "__tls_get_addr",
    "__errno_location",
    "__fpclassify",
    "__fpclassifyf",
    "__fpclassifyl",
    "__signbit",
    "__signbitf",
    "__signbitl",
    "__isnan",
    "__isnanf",
    "__isinf",
    "__isinff",
    "__finite",
    "__finitef",
    "isnan",
    "isinf",
    "finite",
    // Memory and texts.
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "__memcpy_chk",
    "__memmove_chk",
    "__memset_chk",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "__strcpy_chk",
    "__strcat_chk",
    "__strncpy_chk",
    "malloc",
    "calloc",
    "realloc",
    "free",
    "aligned_alloc",
    "posix_memalign",
    "reallocarray",
    // Integers, sorting, numbers as texts.
    "abs",
    "labs",
    "llabs",
    "div",
    "ldiv",
    "lldiv",
    "qsort",
    "bsearch",
    "atof",
    "atoi",
    "atol",
    "atoll",
    "strtod",
    "strtof",
    "strtold",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "tolower",
    "toupper",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    // The state of the floating-point unit.
    "feclearexcept",
    "feraiseexcept",
    "fetestexcept",
    "fegetexceptflag",
    "fesetexceptflag",
    "fegetround",
    "fesetround",
    "fegetenv",
    "feholdexcept",
    "fesetenv",
    "feupdateenv",
    "feenableexcept",
    "fedisableexcept",
    "fegetexcept",
    // What only writes, or ends.
    "printf",
    "fprintf",
    "vprintf",
    "vfprintf",
    "__printf_chk",
    "__fprintf_chk",
    "__vfprintf_chk",
    "puts",
    "fputs",
    "putchar",
    "fputc",
    "putc",
    "fwrite",
    "fflush",
    "perror",
    "stdout",
    "stderr",
    "snprintf",
    "vsnprintf",
    "sprintf",
    "__snprintf_chk",
    "__sprintf_chk",
    "__vsnprintf_chk",
    "abort",
    "exit",
    "__assert_fail",
    "__assert_perror_fail",
    "setjmp",
    "_setjmp",
];

/// What C++ needs for memory and exceptions.
const CPP: [&str; 12] = [
    "_Znwm",
    "_Znam",
    "_ZdlPv",
    "_ZdaPv",
    "__cxa_",
    "__gxx_personality_v0",
    "_Unwind_",
    "_ZTVN10__cxxabiv",
    "_ZSt17__throw_",
    "_ZSt20__throw_",
    "_ZSt24__throw_",
    "_ZTISt",
];

/// Whether a file of this name is one of the system's own libraries.
pub(super) fn is_of_system(file: &str) -> bool {
    SYSTEM.iter().any(|name| file.starts_with(name))
}

/// Whether a function depends on its arguments, memory and the floating-point unit alone.
pub(super) fn is_pure(symbol: &str) -> bool {
    let finite = symbol.strip_prefix("__").and_then(|s| s.strip_suffix("_finite"));
    let real = finite.unwrap_or(symbol);
    let stem = real.strip_suffix("_r").unwrap_or(real);
    let is_real = |name: &str| REAL.split_whitespace().any(|known| known == name);
    [real, stem].iter().any(|name| is_real(name) || name.strip_suffix(['f', 'l']).is_some_and(is_real))
        || OTHERS.contains(&symbol)
        || symbol.starts_with("_ZGV")
        || CPP.iter().any(|begin| symbol.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::{is_of_system, is_pure};

    #[test]
    fn what_reads_nothing_is_told_from_what_may() {
        for name in [
            "sin",
            "sinf",
            "sinl",
            "__exp_finite",
            "lgamma_r",
            "fmaf",
            "memcpy",
            "_ZGVdN4v_sin",
            "__cxa_throw",
            "fabsl",
        ] {
            assert!(is_pure(name), "{name}");
        }
        for name in [
            "fopen",
            "open",
            "getenv",
            "secure_getenv",
            "environ",
            "dlopen",
            "time",
            "clock_gettime",
            "rand",
            "random",
            "read",
            "pthread_create",
            "syscall",
            "system",
            "fread",
            "scanf",
            "",
            "f",
            "l",
            "sins",
            "getauxval",
        ] {
            assert!(!is_pure(name), "{name}");
        }
        assert!(is_of_system("libm.so.6") && is_of_system("ld-linux-x86-64.so.2") && is_of_system("libc-2.31.so"));
        assert!(!is_of_system("libmine.so") && !is_of_system("libcontrol.so") && !is_of_system("implementation.so"));
    }
}
