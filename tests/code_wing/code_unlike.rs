//! Code that is looked into is the code that runs: sizes, headers and macros of this machine; what cannot be had is refused.

use crate::cli_support::{Ended, Folder};
use crate::support::compilers::has_clang;

fn cover(code: &str, more: &[&str], exit: i32) -> Option<Ended> {
    cover_files(&[("f.c", code)], more, exit)
}

fn cover_files(files: &[(&str, &str)], more: &[&str], exit: i32) -> Option<Ended> {
    if !has_clang() {
        return None;
    }
    let folder = Folder::new();
    files.iter().for_each(|(name, text)| _ = folder.write(name, text));
    folder
        .write("two.fpcore", "(FPCore (x) :precision binary64 :pre (<= -5 x 5) :magneto-abs-error 1 (if (< 3 x) 2 0))");
    let sources: Vec<&str> = files.iter().map(|f| f.0).filter(|name| name.ends_with(".c")).collect();
    let flags = ["--fn", "f", "--evaluations", "2000"];
    Some(folder.run(&[&["cover"], &sources[..], &flags, more].concat()).expect(exit))
}

/// How many branches have a status.
fn count(run: &Ended, status: &str) -> usize {
    let json = run.json();
    json["branches"].as_array().map_or(0, |all| all.iter().filter(|b| b["status"] == status).count())
}

#[test]
fn sizes_are_those_of_the_machine() {
    let code = "#include <stddef.h>\n#include <stdint.h>\ntypedef unsigned long word;\nint f(double x, unsigned n) {\n    long m = (long)x;\n    if (m > 3000000000L)\n        return 1;\n    \
                if (sizeof(void *) != 8 || sizeof(word) != 8 || sizeof(size_t) * n / 8 != n)\n        return 2;\n    return 0;\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    if cfg!(target_pointer_width = "64") {
        assert_eq!((count(&run, "taken"), count(&run, "infeasible")), (3, 1), "{}", run.out);
    }
}

#[test]
fn macros_are_those_of_the_machine() {
    let code = "int f(double x) {\n#if defined(__linux__) || defined(__APPLE__)\n    return x > 1;\n#else\n    return x > 1 || x < -1;\n#endif\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    assert_eq!(run.json()["branches"][0]["asked"], "the whole domain", "{}", run.out);
}

#[test]
fn errno_is_what_the_library_sets() {
    let code = "#include <math.h>\n#include <errno.h>\nint f(double x) {\n    errno = 0;\n    double y = log(x);\n    if (errno == EDOM)\n        return 1;\n    \
                if (errno == ERANGE)\n        return 2;\n    if (fabs(x) < 0)\n        return 3;\n    return y > 0;\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    assert_eq!((count(&run, "taken"), count(&run, "infeasible"), count(&run, "open")), (5, 1, 0), "{}", run.out);
    // Nothing is known of it before it is set.
    let before =
        "#include <errno.h>\nint f(double x) {\n    if (errno == 7)\n        return 1;\n    return x > 0;\n}\n";
    let Some(run) = cover(before, &["--json"], 0) else { return };
    assert_eq!((count(&run, "infeasible"), count(&run, "given")), (0, 1), "{}", run.out);
}

#[test]
fn what_cannot_be_had_is_refused_with_its_place() {
    for (code, exit, said) in [
        (
            "volatile int flag;\nint f(double x) {\n    return flag ? 1 : x > 0;\n}\n",
            2,
            "f.c:3: `f` reads the volatile or atomic `flag`",
        ),
        ("int f(double x) {\n    __asm__(\"nop\");\n    return x > 0;\n}\n", 2, "f.c:2: `f` has inline assembly"),
        (
            "int f(double x) {\n    __float128 y = x;\n    return y * y > 2;\n}\n",
            2,
            "`f` computes with a float of more than 64",
        ),
        (
            "#include <string.h>\nint f(double x) {\n    return strsignal(3)[0] == 'N' ? 1 : x > 2;\n}\n",
            0,
            "`strsignal` is not there",
        ),
        (
            "double half();\nint f(double x) {\n    return third(x) > 1;\n}\n",
            2,
            "implicit declaration of function 'third'",
        ),
        ("extern double limit;\nint f(double x) {\n    return x > limit;\n}\n", 0, "the variable `limit` is not there"),
        (
            "double hook(double) __attribute__((weak));\nint f(double x) {\n    if (hook)\n        return hook(x) > 1;\n    return 0;\n}\n",
            2,
            "f.c:3: `f` uses the weak `hook`",
        ),
        (
            "#include <stdarg.h>\nstatic int sum(int n, ...) {\n    return n;\n}\nint f(long double x) {\n    return sum(1, x) > 3;\n}\n",
            2,
            "`f` hands over more than numbers and pointers in a variable number of arguments",
        ),
        ("int f(int n, ...) {\n    return n > 3;\n}\n", 2, "`f` takes a variable number of arguments"),
    ] {
        let Some(run) = cover(code, &[], exit) else { return };
        run.says(&[said]);
    }
    // What the function does not reach is no reason.
    let beside = "volatile int flag;\nint g(void) {\n    return flag;\n}\nint f(double x) {\n    if (x > 1)\n        return 1;\n    return 0;\n}\n";
    let Some(run) = cover(beside, &["--json"], 0) else { return };
    assert_eq!(count(&run, "taken"), 2, "{}", run.out);
}

#[test]
fn a_function_has_one_type() {
    let a = "double half(int);\nint f(double x) {\n    if (half((int)x) > 5)\n        return 1;\n    return 0;\n}\n";
    let b = "double half(double x) {\n    return x / 2;\n}\n";
    let Some(run) = cover_files(&[("a.c", a), ("b.c", b)], &[], 2) else { return };
    run.says(&["`half`", "in a.c", "in b.c", "hint: "]);
}

#[test]
fn volatile_memory_of_the_function_itself_is_followed() {
    let code = "static volatile double huge = 1e300;\nint f(double x) {\n    volatile double y = x;\n    if (y * huge > 1e308)\n        return 1;\n    \
                if (y != y && y == y)\n        return 2;\n    return 0;\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    assert!(count(&run, "taken") >= 4, "{}", run.out);
}

#[test]
fn variables_have_any_value_unless_it_is_said() {
    let code = "static double prev = 1;\nstatic const double table[2] = {1, 2};\n\
        double f(double x) {\n    if (prev > 5.0)\n        return 3;\n    prev = x;\n    if (table[0] > 1)\n        return 4;\n    return table[x > 1];\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    assert_eq!((count(&run, "infeasible"), count(&run, "given")), (1, 1), "{}", run.out);
    assert!(
        run.out.contains("variables outside of functions (prev) have the values of the program's start"),
        "{}",
        run.out
    );
    let Some(run) = cover(code, &["--min-coverage", "1"], 1) else { return };
    assert!(run.out.contains("infeasible under assumptions"), "{}", run.out);
}

#[test]
fn what_stands_behind_pointers_is_not_known() {
    let code = "int f(const double *y, double *z) {\n    if (y[1] != 0)\n        return 1;\n    if (*z > 3)\n        return 2;\n    *z = y[0];\n    return 0;\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    assert_eq!((count(&run, "infeasible"), count(&run, "given")), (0, 0), "{}", run.out);
    // What the function wrote itself it may read: nobody else has the address of `n`.
    let own = "int f(double x, int *q) {\n    int n = 3;\n    *q = x > 1;\n    if (n != 3)\n        return 1;\n    return 0;\n}\n";
    let Some(run) = cover(own, &["--json"], 0) else { return };
    assert_eq!((count(&run, "infeasible"), count(&run, "given")), (1, 0), "{}", run.out);
    // Where two pointers may be one.
    let alias = "int f(double *p, double *q) {\n    *p = 1;\n    *q = 2;\n    if (*p == 2)\n        return 1;\n    return 0;\n}\n";
    let Some(run) = cover(alias, &["--json"], 0) else { return };
    assert_eq!((count(&run, "infeasible"), count(&run, "given")), (0, 1), "{}", run.out);
    assert!(run.out.contains("`p`, `q` point to memory of their own each"), "{}", run.out);
}

#[test]
fn other_lines_in_the_native_compiler_are_refused() {
    let code = "int f(double x) {\n#ifdef __clang__\n    if (x > 1)\n        return 1;\n#endif\n    return x < 0;\n}\n";
    let native = std::process::Command::new("cc").arg("--version").output();
    if native.is_ok_and(|o| String::from_utf8_lossy(&o.stdout).contains("Free Software Foundation")) {
        let Some(run) = cover(code, &[], 2) else { return };
        run.says(&["f.c:3: clang compiles this and cc does not", "hint: "]);
        // Where the macro is the build's own, both agree.
        let Some(_) = cover(&code.replace("__clang__", "MINE"), &["-D", "MINE"], 0) else { return };
    }
}

#[test]
fn nothing_stands_at_address_zero() {
    let code = "static const double tab[4] = {1, 2, 3, 4};\ndouble f(double x) {\n    const double *q = x > 3 ? &tab[1] : (double *)0;\n    return *q;\n}\n";
    let Some(run) = cover(code, &["--spec", "two.fpcore", "--judged", "50"], 1) else { return };
    assert!(run.out.contains("access outside of memory"), "{}", run.out);
}

#[test]
fn a_truth_value_is_0_or_1() {
    let code = "int f(_Bool b, double x) {\n    double y = b;\n    if (y * y != y)\n        return 1;\n    if (b * x > 4 && x < 3)\n        \
        return 2;\n    if (b && x > 7)\n        return 3;\n    return 0;\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    assert_eq!(count(&run, "infeasible"), 2, "{}", run.out);
}

#[test]
fn options_that_change_results_are_refused() {
    let code = "int f(double x) {\n    return x > 1;\n}\n";
    let Some(run) = cover(code, &["--cflags", "-O2 -ffast-math"], 2) else { return };
    run.says(&["-ffast-math", "hint: "]);
    let Some(_) = cover(code, &["--cflags", "-std=c99 -O2 -DX='a b'"], 0) else { return };
}

#[test]
fn integers_beyond_a_cast_are_not_cut_off() {
    // 2^63 and more is no 64-bit integer with a sign, through which x86-64 converts to 32 bits.
    let code = "#include <stdint.h>\nint f(uint64_t n) {\n    uint32_t m = (uint32_t)(double)n;\n    if (n > 0x8000000100000000u && m != 0)\n        \
                return 1;\n    return 0;\n}\n";
    let Some(run) = cover(code, &["--json"], 0) else { return };
    if cfg!(target_arch = "x86_64") {
        assert_eq!((count(&run, "taken"), count(&run, "infeasible") + count(&run, "open")), (3, 1), "{}", run.out);
    }
}
