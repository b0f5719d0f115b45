//! How `magneto check` calls an implementation: what it takes and returns is read, never invented, and every adapter
//! hands on the sign of a zero.

use crate::cli_support::{Ended, Folder};
use std::process::Command;

/// Compiles a C file to a shared library with flags of its own.
fn library(folder: &Folder, source: &str, library: &str, flags: &[&str]) {
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let mut command = Command::new(cc);
    command.args(flags).args(["-shared", "-fPIC", "-o", library, source, "-lm"]).current_dir(folder.root());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// One input in binary64 or binary32; f(x) = x within one ulp.
fn same(format: &str) -> Folder {
    let folder = Folder::new();
    let spec = format!("(FPCore (x) :name \"same\" :precision {format} :pre (<= 0 x 8) :magneto-ulps (1 {format}) x)");
    folder.write("f.fpcore", spec).write("in.csv", "x\n0.5\n1\n2.75\n");
    folder
}

fn c(folder: &Folder, function: &str, more: &[&str]) -> Ended {
    let arguments = ["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--fn", function, "--json"];
    folder.run(&[&arguments[..], more].concat())
}

#[test]
fn the_prototype_is_read() {
    let folder = same("binary32");
    folder.write(
        "f.c",
        "typedef const float real;\nenum status { GOOD, BAD };\n\
         float plain(float x) { return x; }\n\
         double wide(double x) { return x; }\n\
         void out(real x, float *y) { *y = x; }\n\
         enum status status(real x, float *restrict y) { *y = x; return GOOD; }\n\
         double array(const double x[]) { return x[0]; }\n\
         static inline float twice(float x) { return x + x; }\n\
         float inlined(float x) { return twice(x) / 2; }\n",
    );
    for (function, signature) in [
        ("plain", "f32"),
        ("wide", "f64"),
        ("out", "f32-out"),
        ("status", "f32-status"),
        ("array", "f64-array"),
        ("inlined", "f32"),
    ] {
        for flags in ["-O0", "-O2"] {
            let mut command = folder.command(&["check", "f.fpcore", "in.csv", "--c-source", "f.c", "--json", "--fn"]);
            let ended = Ended::new(&command.arg(function).env("CFLAGS", flags).output().unwrap()).expect(0);
            let record = &ended.json()["implementation"];
            let read = (&record["signature"], &record["signature_from"]);
            assert_eq!(read, (&signature.into(), &"debug information".into()), "{function} {flags}: {record:#}");
            assert!(!ended.err.contains("assumed"), "{}", ended.err);
        }
    }
}

/// The elements of an array reach a C function by one pointer or one by one, and a Python function as a list of lists.
#[test]
fn arrays_are_passed_as_each_language_has_them() {
    let folder = Folder::new();
    folder.write(
        "f.fpcore",
        "(FPCore ((A 2 2) x) :pre (and (<= 1 (ref A 0 0) 2) (<= 3 (ref A 0 1) 4) (<= 5 (ref A 1 0) 6) (<= 7 (ref A 1 1) 8) (<= 1 x 2)) \
         :magneto-rel-error 1e-12 (+ (- (ref A 0 1) (* 2 (ref A 1 0))) (* x (ref A 1 1))))",
    );
    folder.write(
        "f.c",
        "double by_pointer(const double *p) { return p[1] - 2 * p[2] + p[4] * p[3]; }\n\
         double one_by_one(double a, double b, double c, double d, double x) { return b - 2 * c + x * d; }\n\
         double columns(const double *p) { return p[2] - 2 * p[1] + p[4] * p[3]; }\n",
    );
    folder.write("f.py", "def rows(A, x):\n    return A[0][1] - 2 * A[1][0] + x * A[1][1]\n");
    folder.write("in.csv", "A[0][0],A[0][1],A[1][0],A[1][1],x\n1,3,5,7,1\n1.5,3.25,5.5,7.75,1.25\n");
    let check = |arguments: &[&str]| folder.run(&[&["check", "f.fpcore", "in.csv"], arguments].concat());
    check(&["--c-source", "f.c", "--fn", "by_pointer"]).expect(0);
    check(&["--c-source", "f.c", "--fn", "by_pointer", "--signature", "f64-array"]).expect(0);
    check(&["--c-source", "f.c", "--fn", "one_by_one"]).expect(0);
    check(&["--c-source", "f.c", "--fn", "columns"]).expect(1);
    check(&["--python", "f.py:rows"]).expect(0);
}

#[test]
fn a_prototype_that_does_not_fit_is_no_wrong_function() {
    let folder = same("binary64");
    folder.write(
        "f.c",
        "#include <complex.h>\n\
         float narrow(float x) { return x; }\n\
         double two(double x, double y) { return x + y; }\n\
         double none(void) { return 1; }\n\
         double whole(int x) { return x; }\n\
         int truncated(double x) { return x; }\n\
         double complex plane(double complex z) { return z; }\n\
         struct pair { double a, b; };\ndouble first(struct pair p) { return p.a; }\n\
         double any(double x, ...) { return x; }\n\
         double same(double x) { return x; }\n",
    );
    for (function, said) in [
        (
            "narrow",
            "takes float, and the input x is a binary64 number; `--convert binary32` takes functions of floats, as \
                    `:precision binary32` in the specification does, or `:magneto-inputs binary32`",
        ),
        ("two", "has `double two(double, double)`, which cannot be called with the 1 input of the specification"),
        ("none", "has `double none(void)`"),
        ("whole", "has `double whole(int)`"),
        ("truncated", "has `int truncated(double)`"),
        ("plane", "plane("),
        ("first", "has `double first(struct pair)`"),
    ] {
        c(&folder, function, &[]).expect(4).says(&[said]);
    }
    // What the hint says helps.
    let spec = folder.read("f.fpcore");
    c(&folder, "narrow", &["--convert", "binary32"]).expect(0);
    folder.write("f.fpcore", spec.replace("binary64", "binary32"));
    c(&folder, "narrow", &[]).expect(0);
    folder.write("f.fpcore", spec);
    c(&folder, "same", &["--signature", "f64-out"])
        .expect(4)
        .says(&["has `double same(double)`, which is not the `void same(double, double *)`", "--signature f64 is"]);
    // What is open stays a claim of the user's, or is said to be assumed.
    c(&folder, "any", &["--signature", "f64"]).expect(0);
    c(&folder, "any", &[]).expect(0).says(&["`double any(double)` is assumed"]);
}

/// Numbers are converted to and from wider and narrower types as an assignment in C does.
#[test]
fn other_floating_point_types_are_converted() {
    let folder = same("binary64");
    folder.write(
        "f.c",
        "long double wide(long double x) { return x + 0x1p-60L; }\n\
         void stored(double x, long double *y) { *y = x; }\n\
         long double array(const long double *x) { return x[0]; }\n\
         long double coarse(double x) { return x * (1 + 1e-9L); }\n",
    );
    for function in ["wide", "stored", "array"] {
        c(&folder, function, &[]).expect(0);
    }
    c(&folder, "wide", &["--signature", "long double wide(long double x)"]).expect(0);
    c(&folder, "coarse", &[]).expect(1);
    let half = "_Float16 half(_Float16 x) { return x; }\n__bf16 brain(__bf16 x) { return x; }\n\
                __float128 quad(__float128 x) { return x; }\n";
    folder.write("g.c", half);
    // Not each compiler has these types on each machine.
    if !std::process::Command::new("cc")
        .args(["-c", "g.c"])
        .current_dir(folder.root())
        .output()
        .unwrap()
        .status
        .success()
    {
        return;
    }
    let other = |function: &str, more: &[&str]| {
        let arguments = ["check", "f.fpcore", "in.csv", "--c-source", "g.c", "--fn", function];
        folder.run(&[&arguments[..], more].concat())
    };
    other("quad", &[]).expect(0);
    other("half", &[]).expect(4).says(&["its parameter a _Float16", "`--convert binary16` takes it"]);
    other("half", &["--convert", "binary16", "--ulps", "1"]).expect(0);
    other("brain", &["--convert", "bfloat16", "--ulps", "1"]).expect(0);
}

#[test]
fn a_library_without_debug_information_leaves_an_assumption() {
    let folder = same("binary64");
    folder.write("f.c", "double same(double x) { return x; }\nfloat narrow(float x) { return x; }\n");
    library(&folder, "f.c", "./bare.so", &["-g0"]);
    library(&folder, "f.c", "./told.so", &["-g"]);
    let check = |library: &str, function: &str, more: &[&str]| {
        let arguments = ["check", "f.fpcore", "in.csv", "--lib", library, "--symbol", function, "--json"];
        folder.run(&[&arguments[..], more].concat())
    };
    let bare = check("./bare.so", "same", &[]).expect(0).says(&["note: ", "`double same(double)` is assumed", "-g"]);
    assert_eq!(bare.json()["implementation"]["signature_from"], "assumed");
    assert!(bare.json()["notes"][0].as_str().unwrap().contains("is assumed"), "{}", bare.out);
    let claimed = check("./bare.so", "same", &["--signature", "f64"]).expect(0);
    assert!(!claimed.err.contains("assumed"), "{}", claimed.err);
    assert_eq!(claimed.json()["implementation"]["signature_from"], "--signature");
    if cfg!(target_os = "linux") {
        check("./told.so", "narrow", &[]).expect(4).says(&["takes float"]);
        check("./told.so", "narrow", &["--signature", "f64"]).expect(4).says(&["`float narrow(float)`"]);
    }
}

/// An implementation that tells the zeros apart, which the specification does not ask for: the bound is 2.
#[test]
fn the_sign_of_a_zero_goes_through_every_adapter() {
    let folder = Folder::new();
    let tests = [
        ("in.csv", "test_id,x\nplus,0\nminus,-0\nhexadecimal,-0x0p+0\ndecimal,-0.0e0\n"),
        (
            "in.json",
            r#"[{"test_id": "plus", "x": 0}, {"test_id": "minus", "x": -0},
           {"test_id": "hexadecimal", "x": "-0x0p+0"}, {"test_id": "decimal", "x": -0.0e0}]"#,
        ),
    ];
    for (name, text) in tests {
        folder.write(name, text);
    }
    folder.write(
        "f.c",
        "#include <math.h>\n\
         double wide(double x) { return copysign(1, x); }\n\
         double array(const double *x) { return copysign(1, *x); }\n\
         float narrow(float x) { return copysignf(1, x); }\n\
         void out(float x, float *y) { *y = copysignf(1, x); }\n",
    );
    folder.write("f.py", "import math\n\n\ndef sign(x):\n    return math.copysign(1, x)\n");
    library(&folder, "f.c", "./signs.so", &["-g"]);
    folder.write("results.csv", "test_id,result\nplus,0\nminus,-0\nhexadecimal,-0x0p+0\ndecimal,-0.0\n");
    let shell = "while read -r x; do case $x in -*) echo -1;; *) echo 1;; esac; done";
    let adapters: &[(&str, &[&str])] = &[
        ("binary64", &["--exec", shell]),
        ("binary64", &["--lib", "./signs.so", "--symbol", "wide"]),
        ("binary32", &["--lib", "./signs.so", "--symbol", "narrow", "--signature", "f32"]),
        ("binary64", &["--c-source", "f.c", "--fn", "wide"]),
        ("binary64", &["--c-source", "f.c", "--fn", "array", "--signature", "f64-array"]),
        ("binary32", &["--c-source", "f.c", "--fn", "out", "--signature", "f32-out"]),
        ("binary64", &["--python", "f:sign"]),
        ("binary64", &["--results", "results.csv"]),
    ];
    for (format, adapter) in adapters {
        folder.write("f.fpcore", format!("(FPCore (x) :precision {format} :pre (<= -1 x 1) :magneto-abs-error 2 x)"));
        for (tests, _) in tests {
            let document = folder.run(&[&["check", "f.fpcore", tests, "--json"], *adapter].concat()).expect(0).json();
            let answers: Vec<bool> = document["tests"]
                .as_array()
                .unwrap()
                .iter()
                .map(|t| t["result"].as_str().unwrap().starts_with('-'))
                .collect();
            assert_eq!(answers, [false, true, true, true], "{adapter:?} {tests}: {document:#}");
            assert_eq!(document["tests"][1]["inputs"]["x"], "-0x0p+0", "{adapter:?} {tests}");
        }
    }
}
