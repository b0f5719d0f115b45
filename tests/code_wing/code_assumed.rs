//! What the user's compiler may make otherwise of the same code is named by each proof that rests on it, or nothing is proved.

use crate::cli_support::Folder;
use crate::support::compilers::{has, has_clang};

/// Contracts to a fused multiply-add where the machine has one: at 1 + 2^-30 the fused result is not 0.
const FUSED: &str = "int f(double x) {\n    double r = x * x - (1 + 0x1p-29);\n    if (x == 1 + 0x1p-30 && r != 0)\n        return \
                     1;\n    return 0;\n}\n";
const FUSED_HERE: &str = "each product and each sum is rounded by itself";

fn cover(text: &str, more: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("f.c", text);
    let covered = folder.run(&[&["cover", "f.c", "--fn", "f"], more].concat());
    covered.out + &covered.err
}

#[test]
fn what_a_compiler_may_do_otherwise_is_named() {
    if !has_clang() {
        return;
    }
    let with_fma = format!("__attribute__((target(\"fma\")))\n{FUSED}");
    let targeted = format!("#pragma GCC target(\"fma\")\n{FUSED}");
    let fast = format!("#pragma GCC optimize(\"O3\", \"fast-math\")\n{FUSED}");
    let strict = format!("#pragma STDC FENV_ACCESS ON\n{FUSED}");
    let upward = "int f(double x) {\n    if (x == 1 && x + 0x1p-60 > 1)\n        return 1;\n    return 0;\n}\n";
    let far = "#include <stdint.h>\nint f(int x) {\n    int u = x, v = x;\n    uintptr_t d = (uintptr_t)&u - (uintptr_t)&v;\n    \
               if (d == 4)\n        return 1;\n    return d == (uintptr_t)-4;\n}\n";
    let now = "int f(int x) {\n    const char *t = __TIME__;\n    if (t[6] - '0' == x && x == 7)\n        return 3;\n    return \
               0;\n}\n";
    let errno =
        "#include <errno.h>\nint f(int x) {\n    if (errno == 3 && x == 7)\n        return 1;\n    return 0;\n}\n";
    let written = "#include <stdio.h>\n#include <errno.h>\nint f(int x) {\n    errno = 0;\n    fputs(\"a\", stderr);\n    return errno ? \
                   x : 2;\n}\n";
    let ordered = "int f(int x) {\n    int a = x, b = x;\n    if (&a < &b)\n        return a;\n    if (&b < &a)\n        return b + \
                   1;\n    return 0;\n}\n";
    let known = "static int k(int y) {\n    return __builtin_constant_p(y) ? 1 : 2;\n}\nint f(int x) {\n    return k(3) == 1 ? x : \
                 0;\n}\n";
    let own_abs = "int abs(int n) {\n    return n < 0 ? -n : n;\n}\nint f(int x) {\n    if (abs(5) == 6)\n        return x;\n    return 0;\n}\n";
    let own_puts = "int printf(const char *, ...);\nint g;\nint puts(const char *s) {\n    return ++g;\n}\nint f(int x) {\n    g = \
                    0;\n    printf(\"hello\\n\");\n    return g ? x : 2;\n}\n";
    let next = "static int c;\nstatic int next(void) {\n    return ++c;\n}\nstatic int both(int x, int y) {\n    return 10 * x + y;\n}\n";
    let in_turn = format!(
        "{next}int f(int x) {{\n    c = 0;\n    if (both(next(), next()) == 21)\n        return x;\n    return 0;\n}}\n"
    );
    let variadic = "#include <stdarg.h>\nstatic int both(int n, ...) {\n    va_list a;\n    va_start(a, n);\n    int x = va_arg(a, int), y = \
                    va_arg(a, int);\n    va_end(a);\n    return 10 * x + y;\n}\nstatic int up(int *c) {\n    return ++*c;\n}\nint f(int x) {\n    \
                    int c = 0;\n    if (both(2, up(&c), up(&c)) == 21)\n        return x;\n    return 0;\n}\n";
    let long_field = "struct b { unsigned long l : 40; };\nint f(unsigned x) {\n    struct b b;\n    b.l = 1UL << 39 | (x & 1);\n    if ((b.l << 1) < \
                      100)\n        return x;\n    return 0;\n}\n";
    let mut named: Vec<(&str, Vec<&str>, &str)> = vec![
        (&in_turn, vec!["--no-native"], "calls in one expression are made in the order"),
        (variadic, vec!["--no-native"], "calls in one expression are made in the order"),
        (long_field, vec!["--no-native"], "bit-fields longer than int are computed with as their type is"),
        (upward, vec!["--cflags", "-frounding-math"], "the rounding mode is to nearest"),
        (far, Vec::new(), "addresses taken as integers are as far apart"),
        (now, Vec::new(), "the code is compiled at the date and time"),
        (now, vec!["--cflags", "-w"], "the code is compiled at the date and time"),
        (errno, Vec::new(), "variables outside of functions (errno) have the values"),
        (written, Vec::new(), "writing to streams succeeds and leaves errno alone"),
        (ordered, Vec::new(), "objects lie in memory in the order"),
        (known, Vec::new(), "`__builtin_constant_p` knows"),
        (own_abs, Vec::new(), "calls of `abs` are of the code's own function"),
        (own_puts, vec!["--no-native"], "do not call the code's own `puts`"),
    ];
    if cfg!(target_arch = "x86_64") {
        named.push((FUSED, vec!["--cflags", "-mfma"], FUSED_HERE));
        named.push((FUSED, vec!["--cflags", "-march=haswell"], FUSED_HERE));
        named.push((&with_fma, Vec::new(), FUSED_HERE));
        named.push((&targeted, Vec::new(), FUSED_HERE));
        named.push((&fast, Vec::new(), "what the code asks of gcc by `optimize` changes no result"));
        named.push((&strict, vec!["--cflags", "-mfma"], FUSED_HERE));
        // A machine without fused operations cannot make any.
        let plain = cover(FUSED, &[]);
        assert!(plain.contains("\ninfeasible\n") && !plain.contains("given that"), "{plain}");
    }
    for (text, more, assumption) in named {
        let said = cover(text, &more);
        assert!(said.contains("infeasible under assumptions"), "{more:?} {text}: {said}");
        assert!(said.contains(assumption), "{more:?} {text}: {said}");
        assert!(!said.contains("\ninfeasible\n"), "{more:?} {text}: {said}");
    }
}

/// gcc takes the last argument first.
#[test]
fn a_native_program_that_is_compiled_otherwise_withdraws_proofs() {
    if !has_clang() || !has(&["gcc"]) {
        return;
    }
    let text = "static int c;\nstatic int next(void) {\n    return ++c;\n}\nstatic int both(int x, int y) {\n    return 10 * x + y;\n}\n\
                int f(int x) {\n    c = 0;\n    if (both(next(), next()) == 21)\n        return x;\n    return 0;\n}\n";
    let folder = Folder::new();
    folder.write("f.c", text);
    let covered = folder.run(&["cover", "f.c", "--fn", "f"]);
    assert_eq!(covered.code, Some(0), "{}", covered.err);
    assert!(
        covered.err.contains("since the native program does not do what proofs take for granted"),
        "{}",
        covered.err
    );
    assert!(!covered.out.contains("\ninfeasible"), "{}", covered.out);
}

/// Functions of C++ have other names in the module than among symbols.
#[test]
fn what_functions_of_cpp_rest_on_is_named() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "f.cpp",
        "#include <cstdint>\n\
         namespace air { static int diff(int x) {\n    int u = x, v = x;\n    \
         return (uintptr_t)&u - (uintptr_t)&v == (uintptr_t)-4;\n}\n}\n\
         __attribute__((weak)) int lim(double) { return 0; }\n\
         int far(int x) { if (air::diff(x)) return 1; return 0; }\n\
         int weak(int x) { if (lim(x) > 3) return 1; return 0; }\n\
         int plain(int x) { if (x > 3 && x < 2) return 1; return 0; }\n",
    );
    let said = |function: &str| folder.run(&["cover", "f.cpp", "--fn", function]).out;
    for (function, given) in [
        ("far", "addresses taken as integers are as far apart"),
        ("weak", "no other definition replaces the weak `lim(double)`"),
    ] {
        assert!(said(function).contains(given), "{}", said(function));
    }
    let plain = said("plain");
    assert!(plain.contains("\ninfeasible\n") && !plain.contains("given that"), "{plain}");
}

/// 300 is no unsigned char, though it is an int.
#[test]
fn conversions_to_narrow_types_are_asked_for_those_of_int_and_say_so() {
    if !has_clang() {
        return;
    }
    let text = "int f(float x) {\n    if (x >= 256 && x < 1000) {\n        unsigned char c = (unsigned char)x;\n        return \
                c;\n    }\n    return 0;\n}\n";
    let said = cover(text, &["--goal", "overflow"]);
    assert!(said.contains("a conversion to a type narrower than int overflows where one to int does"), "{said}");
    // It bears on no other claim.
    assert!(!cover(text, &[]).contains("narrower"));
}

#[test]
fn options_that_change_each_constant_or_sum_are_refused() {
    if !has_clang() {
        return;
    }
    for option in ["-fsingle-precision-constant", "-ffp-contract=fast"] {
        assert!(cover(FUSED, &["--cflags", option]).contains("computes something else"), "{option}");
    }
}

/// Which of two arguments is computed first is each compiler's choice: where the native program chooses otherwise than the
/// module, nothing is proved.
#[test]
fn nothing_is_proved_where_the_native_program_does_something_else() {
    if !has_clang() || !cfg!(target_arch = "x86_64") {
        return;
    }
    let text = "static int s;\nstatic int one(int x) { s = 1; return x; }\nstatic int two(int x) { s = 2; return x; }\n\
                static int sum(int a, int b) { return a + b; }\nint f(int x) {\n    int r = sum(one(x), two(x));\n    if (s == \
                1)\n        return 1;\n    return r * 0;\n}\n";
    let said = cover(text, &[]);
    // Where the native compiler goes from left to right, as clang does, there is no difference.
    if said.contains("in the native program") {
        assert!(said.contains("nothing is called infeasible"), "{said}");
        assert!(!said.contains("\ninfeasible"), "{said}");
        let folder = Folder::new();
        folder.write("f.c", text);
        let reached = folder.run(&["reach", "f.c", "--fn", "f", "--goal", "result == 1"]);
        assert_eq!(reached.code, Some(1), "{}", reached.out);
        assert!(reached.out.contains("open: proved infeasible, but the native program"), "{}", reached.out);
    }
}
