//! C functions that take integers, arrays beside numbers and states: called as they are declared, by a call that is compiled.

use crate::cli_support::{Ended, Folder};
use std::process::Command;

const Q15: &str =
    "(FPCore mix (x y) :precision (fixed -15 16) :magneto-overflow saturate :magneto-ulps 1/2 (* 1.5 (+ x y)))";

const MIX: &str = "#include <stdint.h>
int16_t mix(int16_t x, int16_t y) {
    int32_t sum = ((int32_t)x + y) * 3 / 2;
    return sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : (int16_t)sum;
}
int16_t wrap(int16_t x, int16_t y) { return (int16_t)(((int32_t)x + y) * 3 / 2); }
int32_t wide(int32_t x, int32_t y) { return (x + y) * 3 / 2; }
double real(double x, double y) {
    double z = __builtin_rint(1.5 * (x + y) * 32768) / 32768;
    return z > 32767.0 / 32768 ? 32767.0 / 32768 : z < -1 ? -1 : z;
}
";

#[test]
fn fixed_point_numbers_are_passed_as_integers_and_others_as_numbers() {
    let folder = Folder::new();
    folder.write("f.fpcore", Q15).write("f.c", MIX);
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet"]).expect(0);
    let check = |function: &str| folder.run(&["check", "f.fpcore", "out", "--c-source", "f.c", "--fn", function]);
    check("mix").expect(0);
    check("real").expect(0);
    let ended = check("wrap").expect(1);
    assert!(
        ended.out.contains("x = -21846 (-0.66668701171875), y = 0 (0)") && ended.out.contains("returned 32767 (0.99"),
        "{}",
        ended.out
    );
    // What is beyond the format is shown as it is.
    let ended = check("wide").expect(1);
    assert!(ended.out.contains("-0x1.8p+1 (-3)") && !ended.out.contains("inf"), "{}", ended.out);
    folder.run(&["worst", "f.fpcore", "--c-source", "f.c", "--fn", "mix", "--evaluations", "20000"]).expect(0);
}

#[test]
fn the_integers_of_tests_stand_beside_the_numbers() {
    let folder = Folder::new();
    folder.write("f.fpcore", Q15).write("f.c", MIX);
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet"]).expect(0);
    let table = folder.read("out/tests.csv");
    let header: Vec<&str> = table.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap();
    for line in table.lines().skip(1) {
        // No reason of these tests has a comma in it that is not between quotes, which stand before the integers.
        let cells: Vec<&str> = line.split(',').collect();
        let from_end = |name: &str| cells[cells.len() - (header.len() - column(name))];
        for (name, integer) in [("x_dec", "x_int"), ("y_dec", "y_int")] {
            let (x, k): (f64, i64) = (cells[column(name)].parse().unwrap(), from_end(integer).parse().unwrap());
            assert_eq!(x * 32768.0, k as f64, "{line}");
        }
        let (lo, hi): (i64, i64) = (from_end("lo_int").parse().unwrap(), from_end("hi_int").parse().unwrap());
        assert!(lo <= hi && (-32768..=32767).contains(&lo) && hi <= 32767, "{line}");
    }
    // The file is read back as any other, with no note on its columns.
    let ended = folder.run(&["check", "f.fpcore", "out/tests.csv", "--c-source", "f.c", "--fn", "mix"]).expect(0);
    assert!(!ended.err.contains("ignored"), "{}", ended.err);
}

#[test]
fn exported_tests_of_c_call_a_function_of_integers() {
    let folder = Folder::new();
    folder.write("f.fpcore", Q15).write("f.c", MIX);
    folder.run(&["gen", "f.fpcore", "-o", "out", "--quiet"]).expect(0);
    folder.run(&["export", "out", "--to", "c", "-o", "tests"]).expect(0);
    let header = folder.read("tests/mix_tests.h");
    assert!(header.contains("int16_t mix(int16_t, int16_t);") && header.contains("#include <stdint.h>"), "{header}");
    for (function, passes) in [("mix", true), ("wrap", false)] {
        let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
        let call = format!("-DMAGNETO_MIX_FUNCTION={function}");
        let mut command = Command::new(cc);
        command.args([&call, "-include", "f.c", "-Itests", "tests/test_mix.c", "-o", "run"]).current_dir(folder.root());
        let made = command.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let ran = Command::new(folder.path("run")).output().unwrap();
        assert_eq!(ran.status.success(), passes, "{}", String::from_utf8_lossy(&ran.stdout));
    }
    folder.run(&["export", "out", "--to", "rust", "-o", "rust"]).expect(0);
    let rust = folder.read("rust/test_mix.rs");
    assert!(rust.contains("const FUNCTION: fn(i16, i16) -> i16") && rust.contains("-32768"), "{rust}");
}

#[test]
fn arrays_sizes_states_and_numbers_are_passed_together() {
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore dot ((a 3) (! :precision integer n) x)
           :pre (and (<= 0 (ref a 0) 1) (<= 0 (ref a 1) 1) (<= 0 (ref a 2) 1) (<= 1 n 9) (<= 1 x 2))
           :magneto-rel-error 1e-12
           (+ (* n x) (ref a 0) (* 2 (ref a 1)) (* 3 (ref a 2))))
         (FPCore pi (e integral)
           :pre (and (<= -10 e 10) (<= -100 integral 100)) :magneto-abs-error 1e-12
           (let ([next (+ integral (* 0.25 e))]) (array (+ e next) next)))",
    );
    folder.write(
        "f.c",
        "double by_name(double x, const double *a, int n) { return n * x + a[0] + 2 * a[1] + 3 * a[2]; }
         double in_order(const double *v, unsigned char k, double t) {
             double s = k * t;
             for (int i = 0; i < 3; i++) s += (i + 1) * v[i];
             return s;
         }
         int status(const double *a, int n, double x, double *y) { *y = n * x + a[0] + 2 * a[1] + 3 * a[2]; return n < 1; }
         double swapped(double x, const double *a, int n) { return n * x + a[0] + 3 * a[1] + 2 * a[2]; }
         double unwritten(const double *a, const double *b, int n, double x) { return n * x + a[0] + b[0]; }
         double pi(double e, double *integral) { *integral += 0.25 * e; return e + *integral; }
         double pi_late(double e, double *integral) { double u = e + *integral; *integral += 0.25 * e; return u; }\n",
    );
    let check = |spec: &str, function: &str| folder.run(&["check", spec, "--c-source", "f.c", "--fn", function]);
    for (function, exit) in [("by_name", 0), ("in_order", 0), ("status", 0), ("swapped", 1), ("unwritten", 4)] {
        check("f.fpcore:dot", function).expect(exit);
    }
    check("f.fpcore:pi", "pi").expect(0);
    check("f.fpcore:pi", "pi_late").expect(1);
    let said = check("f.fpcore:dot", "unwritten").err;
    assert!(said.contains("`b` is no argument of the specification"), "{said}");
}

#[test]
fn a_declaration_says_what_a_library_without_debug_information_takes() {
    let folder = Folder::new();
    folder.write("f.fpcore", Q15).write("f.c", MIX);
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    for (flags, library) in [("-g0", "plain.so"), ("-g", "debug.so")] {
        let mut command = Command::new(&cc);
        command.args([flags, "-shared", "-fPIC", "-o", library, "f.c"]).current_dir(folder.root());
        assert!(command.output().unwrap().status.success());
    }
    let check = |library: &str, more: &[&str]| {
        let library = format!("./{library}");
        folder.run(&[&["check", "f.fpcore", "--lib", &library, "--symbol", "mix"], more].concat())
    };
    let said = check("plain.so", &[]).expect(4).err;
    assert!(said.contains("say it by --signature"), "{said}");
    check("plain.so", &["--signature", "int16_t mix(int16_t x, int16_t y)"]).expect(0);
    check("debug.so", &["--signature", "short f(short, short)"]).expect(0);
    let said = check("debug.so", &["--signature", "int f(int, int)"]).expect(4).err;
    assert!(said.contains("which is not the declaration of --signature"), "{said}");
}

#[test]
fn an_input_beyond_the_type_is_refused_outside_the_domain_and_an_error_inside() {
    let folder = Folder::new();
    let spec =
        |most: &str| format!("(FPCore f (n) :precision integer :pre (<= 0 n {most}) :magneto-abs-error 1/2 (* 2 n))");
    folder.write("f.c", "unsigned short f(unsigned char n) { return 2 * n; }\n");
    folder.write("f.fpcore", spec("255"));
    let check = || folder.run(&["check", "f.fpcore", "--c-source", "f.c", "--fn", "f", "--json"]);
    let outcome = check().expect(0).json();
    let refused = outcome["tests"].as_array().unwrap().iter().filter(|t| t["robustness"] == true);
    assert!(refused.clone().count() > 0 && refused.clone().all(|t| t["verdict"] == "OK"), "{outcome:#}");
    folder.write("f.fpcore", spec("256"));
    let said = check().expect(4).err;
    assert!(said.contains("the range of `n` goes beyond the numbers of its type in C, unsigned char"), "{said}");
}

#[test]
fn structures_are_passed_and_returned_by_their_members() {
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore pi (e integral)
           :pre (and (<= -10 e 10) (<= -100 integral 100)) :magneto-abs-error 1e-12 :magneto-results (u next)
           (let ([next (+ integral (* 0.25 e))]) (array (+ e next) next)))
         (FPCore turn ((v 2) s)
           :pre (and (<= -1 (ref v 0) 1) (<= -1 (ref v 1) 1) (<= 1 s 2)) :magneto-abs-error 1e-12
           (array (* s (ref v 1)) (- (* s (ref v 0)))))",
    );
    folder.write(
        "f.c",
        "struct out { double u, next; };
         struct back { float small; double next; double u; };
         struct in { double integral; double e; };
         struct vector { double v[2]; };
         struct out by_value(double e, double integral) {
             double next = integral + 0.25 * e;
             return (struct out){e + next, next};
         }
         void by_pointer(const struct in *p, struct out *q) {
             q->next = p->integral + 0.25 * p->e;
             q->u = p->e + q->next;
         }
         void state(struct in *p, double *u) { p->integral += 0.25 * p->e; *u = p->e + p->integral; }
         void names(double e, double integral, double *next, double *u) {
             *next = integral + 0.25 * e;
             *u = e + *next;
         }
         void exchanged(double e, double integral, double *next, double *u) {
             *u = integral + 0.25 * e;
             *next = e + *u;
         }
         struct back third(double e, double integral) {
             double next = integral + 0.25 * e;
             return (struct back){0, next, e + next};
         }
         struct vector turn(struct vector x, double s) { return (struct vector){{s * x.v[1], -s * x.v[0]}}; }
         struct vector turn_back(struct vector x, double s) { return (struct vector){{-s * x.v[1], s * x.v[0]}}; }\n",
    );
    let check = |spec: &str, function: &str| folder.run(&["check", spec, "--c-source", "f.c", "--fn", function]);
    for (function, exit) in
        [("by_value", 0), ("by_pointer", 0), ("names", 0), ("exchanged", 1), ("third", 4), ("state", 4)]
    {
        check("f.fpcore:pi", function).expect(exit);
    }
    check("f.fpcore:turn", "turn").expect(0);
    check("f.fpcore:turn", "turn_back").expect(1);
}

#[test]
fn what_can_be_meant_in_two_ways_is_refused() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore f (x y k) :precision (fixed 0 32) :magneto-overflow saturate (+ x (* k y)))");
    folder.write("g.fpcore", "(FPCore g (x) :precision (fixed 0 32) :pre (<= -9 x 9) (array x (* 2 x)))");
    folder.write(
        "f.c",
        "int f(int y, int gain, int x) { return x + gain * y; }
         int g(int x, int *twice) { twice[0] = x; twice[1] = 2 * x; return 0; }
         void one(int x, int *y) { *y = x; }\n",
    );
    let check =
        |spec: &str, function: &str| folder.run(&["check", spec, "--c-source", "f.c", "--fn", function]).expect(4);
    let said = check("f.fpcore", "f").err;
    assert!(said.contains("there is a parameter `x`, and none `k`"), "{said}");
    let said = check("g.fpcore", "one").out;
    assert!(said.contains("stored nothing where a result is expected"), "{said}");
    let said = check("g.fpcore", "g").out;
    assert!(said.contains("a result or a status is open"), "{said}");
}

#[test]
fn parameters_with_the_names_of_all_inputs_are_bound_by_them() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore f (w d) :pre (and (<= 1 w 2) (<= 3 d 4)) :magneto-rel-error 1e-12 (/ w d))");
    folder.write(
        "f.c",
        "double named(double d, double w) { return w / d; }\ndouble other(double a, double b) { return a / b; }\n",
    );
    for function in ["named", "other"] {
        folder.run(&["check", "f.fpcore", "--c-source", "f.c", "--fn", function]).expect(0);
    }
}

/// The least number of a fixed-point format is farther from 0 than the largest.
#[test]
fn the_search_for_the_worst_input_looks_at_the_least_number() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore f (x) :precision (fixed 0 4) x)");
    folder.write("f.c", "signed char f(signed char x) { return x == -8 ? 7 : x; }\n");
    let line = ["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f"];
    let ended = folder.run(&[&line[..], &["--exhaustive"]].concat()).expect(1);
    assert!(ended.out.contains("x = -8") && ended.out.contains("16 in the domain"), "{}", ended.out);
    folder.run(&line).expect(1);
}

#[test]
fn covers_are_not_judged_by_specifications_of_another_scale() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore f (x) :precision (fixed -3 8) (* 0.5 x))");
    folder.write("f.c", "int f(int x) { if (x < 0) return -(-x / 2); return x / 2; }\n");
    let said = folder.run(&["cover", "f.c", "--fn", "f", "--spec", "f.fpcore"]).expect(2).err;
    assert!(said.contains("integers of another scale"), "{said}");
}

#[test]
fn warnings_that_are_errors_do_not_stop_a_call() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore f ((v 2) (! :precision integer n)) :pre (and (<= 0 (ref v 0) 1) (<= 0 (ref v 1) 1) (<= 0 n 9)) (+ n 1 (ref v 0)))");
    folder.write("f.c", "float f(const double *v, signed char n);\nfloat f(const double *v, signed char n) { return (float)(v[0] + n + 1); }\n");
    let flags =
        "-std=c99 -O2 -Wall -Wextra -Wconversion -Wmissing-prototypes -Wdouble-promotion -Wshadow -Wcast-qual -Werror";
    let mut command = folder.command(&["check", "f.fpcore", "--rel-error", "1e-3", "--c-source", "f.c", "--fn", "f"]);
    Ended::new(&command.env("CFLAGS", flags).output().unwrap()).expect(0);
}

/// Matrices are passed row by row, however the function declares them; each size goes to the parameter of its name.
#[test]
fn matrices_of_every_size_are_passed() {
    let folder = Folder::new();
    let all = |array: &str, r: &str, c: &str| {
        format!("(for ([i {r}] [j {c}]) ([ok TRUE (and ok (<= -1 (ref {array} i j) 1))]) ok)")
    };
    let product = format!(
        "(FPCore product ((M r c) (! :precision binary64 v c)) :magneto-sizes ((r 2) (c 2)) :magneto-abs-error 1e-12
           :pre (and {} (for ([j c]) ([ok TRUE (and ok (<= -1 (ref v j) 1))]) ok))
           (tensor ([i r]) (for ([j c]) ([s 0 (+ s (* (ref M i j) (ref v j)))]) s)))",
        all("M", "r", "c")
    );
    folder.write("product.fpcore", product);
    let trace = format!(
        "(FPCore trace ((A 2 2)) :magneto-abs-error 1e-12 :pre {} (+ (ref A 0 0) (ref A 1 1)))",
        all("A", "2", "2")
    );
    folder.write("trace.fpcore", trace);
    folder.write(
        "m.c",
        "void product(int r, int c, const double M[r][c], const double *v, double *out) {
             for (int i = 0; i < r; i++) { out[i] = 0; for (int j = 0; j < c; j++) out[i] += M[i][j] * v[j]; }
         }
         void transposed(int r, int c, const double *M, const double *v, double *out) {
             for (int i = 0; i < r; i++) { out[i] = 0; for (int j = 0; j < c; j++) out[i] += M[j * r + i] * v[j]; }
         }
         typedef double matrix[2][2];
         double fixed(const double A[2][2]) { return A[0][0] + A[1][1]; }
         double open(double A[][2]) { return A[0][0] + A[1][1]; }
         double named(matrix A) { return A[0][0] + A[1][1]; }
         double wrong(double A[2][2]) { return A[0][0] + A[1][0]; }
         double longer(double A[2][3]) { return A[0][0] + A[1][1]; }
         double rows(double **A) { return A[0][0] + A[1][1]; }",
    );
    let check = |spec: &str, function: &str| folder.run(&["check", spec, "--c-source", "m.c", "--fn", function]);
    check("product.fpcore", "product").expect(0);
    let wrong = check("product.fpcore", "transposed").expect(1);
    // Only a square matrix that is no number tells.
    for (case, verdict) in [("r=1.c=2[0]", "OK"), ("r=2.c=1[1]", "OK"), ("r=2.c=2[0]", "KO")] {
        let row = wrong.out.lines().find(|line| line.starts_with(&format!("product.{case} "))).unwrap();
        assert!(row.ends_with(verdict), "{row}");
    }
    for function in ["fixed", "open", "named"] {
        check("trace.fpcore", function).expect(0);
    }
    check("trace.fpcore", "wrong").expect(1);
    let longer = check("trace.fpcore", "longer").expect(4);
    assert!(longer.err.contains("the rows of the parameter `A` have another size"), "{}", longer.err);
    check("trace.fpcore", "rows").expect(4);
}
