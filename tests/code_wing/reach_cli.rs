//! `magneto reach` as a user runs it: paths, goals, exit codes, and what is wrong with a command line.

use crate::cli_support::Folder;
use crate::support::compilers::has_clang;

const CODE: &str = "float f(float x, float y) {\n    if (x < y)\n        return x * y;\n    while (x > 2 * y)\n        x = x / 2;\n    \
                    if (x < y)\n        return 1;\n    return y;\n}\n\
                    float g(float x, float y) {\n    return x + y;\n}\n";

/// The native program calls functions whatever their names are: none is hidden by a variable of the caller.
#[test]
fn the_native_program_calls_functions_of_any_name() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let names = ["a1", "in", "out", "result", "o", "left"];
    let one = |name: &&str| format!("double {name}(double x, double *y) {{ if (x > 3) *y += 1; return *y; }}\n");
    folder.write("f.c", names.iter().map(one).collect::<String>());
    for name in names {
        let covered = folder.run(&["cover", "f.c", "--fn", name]);
        assert_eq!(covered.code, Some(0), "{}", covered.err);
        assert!(covered.out.contains("results the same bit for bit"), "{name}: {}{}", covered.out, covered.err);
    }
}

#[test]
fn paths_goals_and_exit_codes() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("f.c", CODE);
    let listed = folder.run(&["reach", "f.c", "--fn", "f", "--paths", "3", "--json"]);
    let listing: serde_json::Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed.code, Some(0), "{}{}", listed.out, listed.err);
    assert_eq!(listing["schema"], "magneto/paths/1");
    let paths = listing["paths"].as_array().unwrap();
    assert!(paths.iter().any(|p| p["path"] == "T" && p["status"] == "feasible"), "{}", listed.out);
    assert_eq!(listing["open"], 0);
    let one = folder.run(&["reach", "f.c", "--fn", "f", "--path", "FTF"]);
    assert_eq!(one.code, Some(0), "{}", one.err);
    assert!(one.out.contains("paths: 1 feasible"), "{}", one.out);
    // The inputs of all paths go the same way in a native program.
    let native = folder.run(&["reach", "f.c", "--fn", "f", "--paths", "3"]);
    assert_eq!(native.code, Some(0), "{}{}", native.out, native.err);
    assert!(native.out.contains("results the same bit for bit, branch counts of gcov the same"), "{}", native.out);
    let alone = folder.run(&["reach", "f.c", "--fn", "f", "--paths", "3", "--no-native"]);
    assert!(alone.code == Some(0) && !alone.out.contains("native"), "{}{}", alone.out, alone.err);
    // x < y after x >= y; the proof holds without contraction too.
    let proved = folder.run(&["reach", "f.c", "--fn", "f", "--path", "FFT", "--check"]);
    assert_eq!(proved.code, Some(0), "{}{}", proved.out, proved.err);
    assert!(proved.out.contains("confirmed by evaluating"), "{}", proved.out);
    let goal = folder.run(&["reach", "f.c", "--fn", "f", "--goal", "result == 7 && x > 0"]);
    assert_eq!(goal.code, Some(0), "{}", goal.err);
    assert!(goal.out.contains("-> 7"), "{}", goal.out);
    let never = folder.run(&["reach", "f.c", "--fn", "g", "--goal", "x < y && y < x"]);
    assert_eq!(never.code, Some(0), "{}", never.err);
    assert!(never.out.contains("infeasible"), "{}", never.out);
    for goal in [["--branch", "2:T"], ["--line", "5"]] {
        let reached = folder.run(&["reach", "f.c", "--fn", "f", goal[0], goal[1]]);
        assert_eq!(reached.code, Some(0), "{goal:?}: {}{}", reached.out, reached.err);
    }
}

/// A condition on a function of structures names its inputs as the function has them.
#[test]
fn conditions_on_structures_are_met() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write(
        "s.c",
        "struct gains { double p; int n[2]; };\ntypedef struct { float re, im; } pair;\n\
         double k(struct gains *g, double e) { return g->p * e > 3 ? g->n[1] : 0; }\n\
         pair half(pair p, const pair *q) { pair r = { p.re / 2 + q->re, p.im / 2 }; return r; }\n\
         double through(double (*f)(double), double x) { return f(x); }\n",
    );
    for (function, goal, inputs) in [
        ("k", "result == 17 && g->n[0] < 0", "magneto_goal(g.p, g.n[0], g.n[1], e)"),
        ("half", "result.re > 3 && p.im == 7", "magneto_goal(p.re, p.im, q.re, q.im)"),
    ] {
        let reached = folder.run(&["reach", "s.c", "--fn", function, "--goal", goal]);
        assert_eq!(reached.code, Some(0), "{goal}: {}{}", reached.out, reached.err);
        assert!(reached.out.contains(inputs) && reached.out.contains("  holds  "), "{}", reached.out);
        assert!(reached.out.contains("results the same bit for bit"), "{}{}", reached.out, reached.err);
    }
    folder.write(
        "s.cpp",
        "namespace air { struct V { double x, y; };\n\
         double step(V &v, const double &by) { v.x += by; return v.x; } }\n",
    );
    let reached = folder.run(&["reach", "s.cpp", "--fn", "air::step", "--goal", "result == 5 && by == 2"]);
    assert!(reached.out.contains("  holds  3") && reached.out.contains("results the same bit"), "{}", reached.out);
    let refused = folder.run(&["reach", "s.c", "--fn", "through", "--goal", "result == 1"]);
    assert_eq!(refused.code, Some(2), "{}", refused.out);
}

/// What is proved of a condition rests on what is proved of a branch of the same code: on the variables' first values, the
/// rounding mode and the definitions that are there.
#[test]
fn conditions_that_never_hold_name_what_they_rest_on() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("g.c", "int g = 0;\nvoid set(int v) { g = v; }\nint f(double x) { return g != 0 && x > 0; }\n");
    folder.write("r.c", "#pragma STDC FENV_ACCESS ON\nint f(double x) { return x + 1 != 1 && x == 1e-30; }\n");
    folder.write("w.c", "__attribute__((weak)) int lim(void) { return 0; }\nint f(double x) { return lim() > 3; }\n");
    for (file, given) in [
        ("g.c", "variables outside of functions (g) have the values of the program's start"),
        ("r.c", "the rounding mode is to nearest"),
        ("w.c", "no other definition replaces the weak `lim`"),
    ] {
        let never = folder.run(&["reach", file, "--fn", "f", "--goal", "result == 1"]);
        assert!(never.out.contains("infeasible"), "{file}: {}{}", never.out, never.err);
        assert!(never.out.contains(given), "{file}: {}", never.out);
        // A native program that asks the same tries to meet it.
        assert!(never.out.contains("calls made up: no infeasible branch of 1 taken"), "{file}: {}", never.out);
    }
}

#[test]
fn paths_go_on_behind_a_store_through_a_pointer() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let code = "int f(double x, int *q) { *q = 0; if (x > 1) return 1; return 0; }\n\
                int k(double x, double *q) { if (x > 1) { *q = x; if (*q > 2) return 2; return 1; } return 0; }\n\
                int none(double x, double *q) { *q = x; if (x > 1 && *q < 0) return 1; return 0; }\n";
    folder.write("p.c", code);
    for (function, found) in
        [("f", "2 feasible, 0 infeasible"), ("k", "3 feasible, 0 infeasible"), ("none", "2 feasible, 1 infeasible")]
    {
        let listed = folder.run(&["reach", "p.c", "--fn", function, "--paths", "4"]);
        assert!(listed.code == Some(0) && listed.out.contains(found), "{function}: {}{}", listed.out, listed.err);
    }
    let covered = folder.run(&["cover", "p.c", "--fn", "none"]);
    assert!(covered.out.contains("given that `q` points to memory of its own"), "{}", covered.out);
}

#[test]
fn what_nobody_wrote_may_be_anything_in_proofs() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let code = "int behind(double x, double *q) { if (q[1] > x) return 1; return 0; }\n\
                int stack(int n) { int a[4]; a[0] = n; if (a[1] > 3) return 1; return 0; }\n\
                static const double table[3] = {1.5, 2.5, 0};\n\
                int data(double x) { if (table[2] > x) if (x > table[1]) return 1; return 0; }\n\
                int twice(double x, double *q) { if (q[1] > 3) if (q[1] < 3) return 1; return 0; }\n";
    folder.write("m.c", code);
    for (function, path, code, said) in [
        ("behind", "T", 0, "1 feasible"),
        ("stack", "T", 0, "1 feasible"),
        ("stack", "F", 3, "memory of which nothing is said"),
        ("data", "TT", 0, "1 infeasible"),
        // It is one value, read twice.
        ("twice", "TT", 0, "1 infeasible"),
        ("twice", "T", 3, "memory of which nothing is said"),
    ] {
        let one = folder.run(&["reach", "m.c", "--fn", function, "--path", path, "--no-native"]);
        assert!(one.code == Some(code) && one.out.contains(said), "{function} {path}: {}{}", one.out, one.err);
    }
    for function in ["stack", "twice"] {
        let covered = folder.run(&["cover", "m.c", "--fn", function, "--evaluations", "1000"]);
        assert!(covered.out.contains("infeasible      0 (proved)"), "{function}: {}", covered.out);
    }
}

#[test]
fn trivial_proofs_are_confirmed_by_plain_evaluation() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let code = "int both(int tau) { if (tau >= 240 && tau < 120) return 1; return 0; }\n\
                int ordered(int a, int b) { if (a > 600) if (a <= 300) return 1; if (a > b) if (b > a) return 2; return 0; }\n\
                int large(unsigned a) { if (a > 10u) if (a < 5u) return 1; return 0; }\n";
    folder.write("t.c", code);
    for (function, proofs) in [("both", 1), ("large", 1)] {
        let listed = folder.run(&["reach", "t.c", "--fn", function, "--paths", "4", "--check", "--no-native"]);
        assert_eq!(listed.code, Some(0), "{function}: {}{}", listed.out, listed.err);
        assert_eq!(listed.out.matches("; confirmed by evaluating").count(), proofs, "{function}: {}", listed.out);
    }
    let listed = folder.run(&["reach", "t.c", "--fn", "ordered", "--paths", "4", "--no-native"]);
    assert!(listed.code == Some(0) && listed.out.contains(" 0 open"), "{}{}", listed.out, listed.err);
}

#[test]
fn relations_between_values_are_decided() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let code = "int sub(float a) { if (a - a == a - a) { if (a - a != 0) return 1; } return 0; }\n\
                int tot(float a, float b) { if (a == a) if (b == b) if (!(a <= b)) if (!(b <= a)) return 1; return 0; }\n\
                int com(float a, float b) { float s = a + b; if (s == s) if (s != b + a) return 1; return 0; }\n\
                int mono(float a, float b) { if (a < b) if (a + a > b + b) return 1; return 0; }\n\
                int cyc(float a, float b, float c) { if (a < b) if (b < c) if (c < a) return 1; return 0; }\n\
                int off(double a) { double d = a - a; if (d != 0) return 1; return 0; }\n";
    folder.write("r.c", code);
    for function in ["sub", "tot", "com", "mono", "cyc"] {
        let listed = folder.run(&["reach", "r.c", "--fn", function, "--paths", "8", "--no-native"]);
        assert!(listed.code == Some(0), "{function}: {}{}", listed.out, listed.err);
        assert!(listed.out.contains("1 infeasible, 0 open"), "{function}: {}", listed.out);
    }
    // An infinity less itself is not 0.
    let listed = folder.run(&["reach", "r.c", "--fn", "off", "--paths", "8"]);
    assert!(listed.code == Some(0) && listed.out.contains("2 feasible"), "{}{}", listed.out, listed.err);
}

#[test]
fn a_path_that_rounding_alone_opens_is_found() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    // With e > 0 the integral is at its limit, and taking the last step back leads to where it began by rounding alone.
    let code = "#include <math.h>\n\
        double pid(double e, double i0, double d0, double kp, double ki, double kd) {\n\
          double i = i0 + e * 0.01;\n\
          if (i > 5.0) i = 5.0; else if (i < -5.0) i = -5.0;\n\
          double d = (e - d0) / 0.01;\n\
          double u = kp * e + ki * i + kd * d;\n\
          if (u > 1.0) { if (e > 0) i -= e * 0.01; u = 1.0; }\n\
          else if (u < -1.0) { if (e < 0) i -= e * 0.01; u = -1.0; }\n\
          if (fabs(u) < 1e-3 && fabs(d) < 1e-6) return 0;\n\
          if (i == i0 && e != 0) return 2;\n\
          return u;\n}\n";
    folder.write("pid.c", code);
    let one = folder.run(&["reach", "pid.c", "--fn", "pid", "--path", "TTTF"]);
    assert!(one.code == Some(0) && one.out.contains("-> 2"), "{}{}", one.out, one.err);
}

/// Words of a number's bits, and a cast to an integer, each bound what the other may be.
#[test]
fn paths_through_bits_and_casts_are_decided_in_few_boxes() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let code = "#include <stdint.h>\n\
        int reduce(double x) {\n\
          union { double f; uint64_t i; } u = { x };\n\
          uint32_t hx = u.i >> 32 & 0x7fffffff;\n\
          if (hx < 0x4043687A) return 0;\n\
          if (u.i >> 63) return 1;\n\
          if (!(x <= 709.78)) return 2;\n\
          int k = 1.4426950408889634 * x + 0.5;\n\
          if (k == 0) return 3;\n\
          if (k == 1024) return 4;\n\
          return 5;\n}\n";
    folder.write("k.c", code);
    let listed = folder.run(&["reach", "k.c", "--fn", "reduce", "--paths", "8", "--budget", "200", "--no-native"]);
    assert!(listed.code == Some(0) && listed.out.contains("1 infeasible, 0 open"), "{}{}", listed.out, listed.err);
    assert!(listed.out.contains("-> 4"), "{}", listed.out);
}

#[test]
fn an_incomplete_list_says_so() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    let code = "int at(int n) { int a[4] = {1, 2, 3, 4}; if (n < 0 || n > 3) return 0; if (a[n] > 2) return 1; return 2; }\n\
                int many(int n) { int k = 0; for (int i = 0; i < 9; i++) if (n >> i & 1) k++; return k; }\n";
    folder.write("i.c", code);
    for (flags, said) in [
        (&["--fn", "at", "--paths", "4"][..], "an address that depends on inputs"),
        (&["--fn", "many", "--paths", "9", "--most", "5"], "more paths than may be told"),
        (&["--fn", "many", "--path", "FFFFFFFFFFFF"], "the function ends after fewer tests"),
    ] {
        let listed = folder.run(&[&["reach", "i.c", "--no-native"], flags].concat());
        assert_eq!(listed.code, Some(3), "{flags:?}: {}{}", listed.out, listed.err);
        assert!(
            listed.out.contains(said) && listed.out.contains("the list is incomplete"),
            "{flags:?}: {}",
            listed.out
        );
        assert!(!listed.out.contains(" 0 open"), "{flags:?}: {}", listed.out);
    }
}

#[test]
fn lines_behind_instructions_from_no_line() {
    if !has_clang() {
        return;
    }
    let code = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/code/hypot.c");
    let zero = Folder::new().run(&["reach", code, "--fn", "my_hypot", "--line", "15"]);
    assert!(zero.code == Some(0) && zero.out.contains("1 feasible"), "{}{}", zero.out, zero.err);
}

/// A goal in the code of `cover`'s goals.
fn asked(function: &str, flags: &[&str]) -> (Option<i32>, String) {
    let code = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/code/goals.c");
    let all = [&["reach", code, "--fn", function, "--evaluations", "20000"], flags].concat();
    let done = Folder::new().run(&all);
    (done.code, done.out + &done.err)
}

#[test]
fn what_operations_come_to() {
    if !has_clang() {
        return;
    }
    for (function, flag, said) in [
        ("step", "--boundary=7", "both sides equal  3.5"),
        ("share", "--div0", "line 32: divisor is 0"),
        ("share", "--assert=28", "12345 -> trap"),
        ("share", "--assert=31", "infeasible"),
        ("safe", "--nan", "infeasible"),
        ("risky", "--overflow=23", "line 23: "),
        ("risky", "--inf=23", "line 23: "),
    ] {
        let (code, out) = asked(function, &[flag]);
        assert!(code == Some(0) && out.contains(said), "{function} {flag}: {code:?} {out}");
    }
    for (function, flag, said) in [
        ("share", "--div0=28", "lines that have it: 32"),
        ("safe", "--div0=14", "lines that have it: 16"),
        ("step", "--assert", "nothing of that kind"),
    ] {
        let (code, out) = asked(function, &[flag]);
        assert!(code == Some(2) && out.contains(said), "{function} {flag}: {code:?} {out}");
    }
}

#[test]
fn what_is_wrong_is_told() {
    if !has_clang() {
        return;
    }
    let folder = Folder::new();
    folder.write("f.c", CODE);
    for (flags, said) in [
        (&["--path", "TFX"][..], "expected letters T and F"),
        (&["--branch", "2"], "expected a line and a way"),
        (&["--branch", "3:T"], "lines with tests: 2, 4, 6"),
        (&["--line", "1"], "no branch leads to line 1"),
        (&["--goal", "resolt == 7"], "resolt"),
        (&["--goal", "1"], "depends on no input"),
        (&["--paths", "3", "--path", "T"], "cannot be used with"),
        (&[], "required"),
    ] {
        let wrong = folder.run(&[&["reach", "f.c", "--fn", "f"], flags].concat());
        assert_eq!(wrong.code, Some(2), "{flags:?}: {}{}", wrong.out, wrong.err);
        assert!(wrong.err.contains(said), "{flags:?}: {}", wrong.err);
    }
}
