//! Functions with several results: each result is checked, however the function returns it.

use crate::cli_support::Folder;
use std::process::Command;

/// A filter step: its output and its next state.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(
        "step.fpcore",
        "(FPCore step (x s) :pre (and (<= -1 x 1) (<= -4 s 4)) :magneto-results (y next) :magneto-abs-error 1e-14
           :magneto-out-of-range reject
           (let ([y (+ (* 0.25 x) s)]) (array y (- (* 0.5 x) (* 0.125 y)))))",
    );
    folder.write(
        "f.c",
        "#define IN (x >= -1 && x <= 1 && s >= -4 && s <= 4)\n\
         static double y(double x, double s) { return 0.25 * x + s; }\n\
         static double n(double x, double s) { return 0.5 * x - 0.125 * y(x, s); }\n\
         void out(double x, double s, double *r) { r[0] = IN ? y(x, s) : 0 / 0.; r[1] = IN ? n(x, s) : 0 / 0.; }\n\
         void outs(double x, double s, double *a, double *b) { *a = IN ? y(x, s) : 0 / 0.; *b = IN ? n(x, s) : 0 / 0.; }\n\
         int status(double x, double s, double *r) { r[0] = y(x, s); r[1] = n(x, s); return !IN; }\n\
         int both(double x, double s, double *a, double *b) { *a = y(x, s); *b = n(x, s); return !IN; }\n\
         int silent(double x, double s, double *r) { out(x, s, r); return 0; }\n\
         void array(const double *i, double *r) { out(i[0], i[1], r); }\n\
         void stale(double x, double s, double *r) { out(x, s, r); if (IN) r[1] = 0.5 * x - 0.125 * s; }\n\
         double one(double x, double s) { return y(x, s); }\n",
    );
    folder.write(
        "f.py",
        "def check(x, s):\n    if not (-1 <= x <= 1 and -4 <= s <= 4):\n        raise ValueError\n\n\
         def step(x, s):\n    check(x, s)\n    y = 0.25 * x + s\n    return y, 0.5 * x - 0.125 * y\n\n\
         def rows(x, s):\n    return [[r] for r in step(x, s)]\n\n\
         def named(x, s):\n    return dict(zip(('y', 'next'), step(x, s)))\n\n\
         def alone(x, s):\n    return step(x, s)[0]\n",
    );
    folder
}

const C: [&str; 3] = ["check", "step.fpcore", "--c-source"];

#[test]
fn each_language_returns_them_in_its_ways() {
    let folder = folder();
    folder.run(&["gen", "step.fpcore", "-o", "run", "--operators", "paper"]).expect(0);
    let c = |function: &str| folder.run(&[&C[..], &["f.c", "--fn", function]].concat());
    for right in ["out", "outs", "status", "both", "array"] {
        c(right).expect(0).prints(&["step.y", "step.next", "2 of 2 implementations passed"]);
    }
    c("stale").expect(1).prints(&["1 of 2 implementations passed", "step.next, c-source"]);
    // A NaN beside a status of 0 refuses nothing.
    c("silent").expect(1);
    c("one").expect(4).prints(&["cannot be called with the 2 inputs of the specification for 2 results"]);
    let python = |function: &str| folder.run(&["check", "step.fpcore", "--python", &format!("f.py:{function}")]);
    for right in ["step", "rows", "named"] {
        python(right).expect(0);
    }
    python("alone").expect(1).prints(&["and 2 results are owed"]);
    folder.write(
        "p.py",
        "import sys, f\nfor line in sys.stdin:\n    try:\n        print(*[r.hex() for r in f.step(*map(float.fromhex, line.split()))], flush=True)\n    \
         except ValueError:\n        print('error: outside', flush=True)\n",
    );
    folder.run(&["check", "step.fpcore", "--exec", "python3 p.py"]).expect(0);
    folder.run(&["worst", "step.fpcore", "--c-source", "f.c", "--fn", "outs", "--evaluations", "500"]).expect(0);
    folder.run(&["worst", "step.fpcore", "--c-source", "f.c", "--fn", "stale", "--evaluations", "500"]).expect(1);
}

#[test]
fn tests_of_a_person_are_those_that_are_run() {
    let folder = folder();
    // At s = 0 and x = 0 the stale state is no mistake.
    folder.write("zero.csv", "x,s\n0,0\n").write("wrong.csv", "x,s\n0,nought\n");
    let c =
        |tests: &str| folder.run(&["check", "step.fpcore", tests, "--no-cache", "--c-source", "f.c", "--fn", "stale"]);
    c("zero.csv").expect(0);
    c("missing.csv").expect(2).says(&["missing.csv"]);
    c("wrong.csv").expect(2).says(&["wrong.csv:2"]);
    folder.run(&["check", "step.fpcore:step.next", "zero.csv", "--c-source", "f.c", "--fn", "stale"]).expect(0);
    folder.run(&["check", "step.fpcore:step", "--c-source", "f.c", "--fn", "out"]).expect(0);
    folder.write("r.csv", "test_id,result\nt001,0\n");
    folder.run(&["check", "step.fpcore", "--results", "r.csv"]).expect(2).says(&["--results is for one specification"]);
}

#[test]
fn exported_tests_take_the_result_that_they_are_about() {
    let folder = folder();
    folder.run(&["gen", "step.fpcore", "-o", "run"]).expect(0);
    folder.run(&["export", "run", "--to", "c", "-o", "c"]).expect(0);
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    for (function, test, passes) in
        [("out", "step_y", true), ("out", "step_next", true), ("stale", "step_y", true), ("stale", "step_next", false)]
    {
        let upper = test.to_ascii_uppercase();
        let define = format!("-DMAGNETO_{upper}_FUNCTION={function}");
        let declared = "-include";
        folder.write("declared.h", "void out(double, double, double *); void stale(double, double, double *);\n");
        let mut compile = Command::new(&cc);
        compile.args([&define, declared, "declared.h", &format!("c/test_{test}.c"), "f.c", "-o", "t", "-lm"]);
        let compiled = compile.current_dir(folder.root()).output().unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(folder.path("t")).output().unwrap();
        assert_eq!(ran.status.success(), passes, "{function} {test}: {}", String::from_utf8_lossy(&ran.stdout));
    }
    folder.run(&["export", "run", "--to", "rust", "-o", "rs"]).expect(0);
    folder.write(
        "rs/main.rs",
        "pub fn step(x: f64, s: f64) -> [f64; 2] { let y = 0.25 * x + s; [y, 0.5 * x - 0.125 * y] }\n\
         #[cfg(test)] mod test_step_y;\n#[cfg(test)] mod test_step_next;\nfn main() { step(0.0, 0.0); }\n",
    );
    let rustc =
        Command::new("rustc").args(["--test", "rs/main.rs", "-o", "r"]).current_dir(folder.root()).output().unwrap();
    assert!(rustc.status.success(), "{}", String::from_utf8_lossy(&rustc.stderr));
    let ran = Command::new(folder.path("r")).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}
