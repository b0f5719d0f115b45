//! Where code that is looked into, compiled for 32-bit WebAssembly, is not what it is elsewhere: told, refused, or right.

mod cli_support;
#[path = "support/compilers.rs"]
mod compilers;

use cli_support::{Ended, Folder};
use compilers::has_clang;

fn cover(code: &str, more: &[&str], exit: i32) -> Option<Ended> {
    if !has_clang() {
        return None;
    }
    let folder = Folder::new();
    folder.write("f.c", code);
    folder
        .write("two.fpcore", "(FPCore (x) :precision binary64 :pre (<= -5 x 5) :magneto-abs-error 1 (if (< 3 x) 2 0))");
    Some(folder.run(&[&["cover", "f.c", "--fn", "f", "--evaluations", "2000"], more].concat()).expect(exit))
}

#[test]
fn errno_is_not_followed() {
    let read = "#include <math.h>\n#include <errno.h>\nint f(double x) {\n    errno = 0;\n    double y = log(x);\n    if (errno)\n        return 1;\n    return y > 0;\n}\n";
    let Some(run) = cover(read, &[], 2) else { return };
    run.says(&["f.c:6: `errno` is read here", "hint: "]);
    let written = "#include <errno.h>\nint f(double x) {\n    if (x < 0) {\n        errno = EDOM;\n        return 1;\n    }\n    return 0;\n}\n";
    let Some(run) = cover(written, &[], 0) else { return };
    assert!(!run.err.contains("errno"), "{}", run.err);
}

#[test]
fn long_has_another_length() {
    let big =
        "int f(double x) {\n    long n = (long)x;\n    if (n > 3000000000L)\n        return 1;\n    return 0;\n}\n";
    let Some(run) = cover(big, &[], 0) else { return };
    assert!(run.err.contains("f.c:2: `long` has 32 bits"), "{}", run.err);
    let Some(run) = cover(&big.replace("long", "long long"), &[], 0) else { return };
    assert!(!run.err.contains("has 32 bits"), "{}", run.err);
}

#[test]
fn variables_are_told() {
    let code = "extern double limit;\nstatic double prev = 1;\nstatic const double table[2] = {1, 2};\n\
        double f(double x) {\n    if (prev > 5.0)\n        return limit;\n    prev = x;\n    return table[x > 1];\n}\n";
    let Some(run) = cover(code, &[], 2) else { return };
    run.says(&["variables that are not there: limit", "hint: name the files"]);
    let Some(run) = cover(&code.replace("extern double limit;", "const double limit = 2;"), &[], 0) else { return };
    assert!(run.err.contains("variables outside of functions (prev)"), "{}", run.err);
}

#[test]
fn pointers_are_told() {
    let code = "int f(const double *y, double *z) {\n    *z = y[0];\n    return y[0] > y[1];\n}\n";
    let Some(run) = cover(code, &[], 0) else { return };
    assert!(run.err.contains("`y` points to one input, and zeros after it"), "{}", run.err);
    assert!(run.err.contains("`z` points to zeros"), "{}", run.err);
    let Some(run) = cover(code, &["--input", "y[2]", "--input", "z[0]"], 0) else { return };
    assert!(!run.err.contains("points to"), "{}", run.err);
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
    let json = run.json();
    let text = json.to_string();
    assert!(text.contains("infeasible"), "{text}");
    let branches = json["branches"].as_array().cloned().unwrap_or_default();
    let infeasible = branches.iter().filter(|b| b["status"] == "infeasible").count();
    assert_eq!(infeasible, 2, "{text}");
}
