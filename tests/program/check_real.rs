//! `magneto check` on real implementations: the C library, compiled C, Python, Rust, Perl and the shell.

use crate::cli_support::{Ended, Folder, missing};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/check").join(name)
}

fn shown(name: &str) -> String {
    fixture(name).display().to_string()
}

/// Checks an implementation of `blend.fpcore`.
fn blend(arguments: &[&str]) -> Ended {
    Folder::new().run(&[&["check", &shown("blend.fpcore")], arguments].concat())
}

fn c(file: &str, function: &str, more: &[&str]) -> Ended {
    blend(&[&["--c-source", &shown(file), "--fn", function], more].concat())
}

#[track_caller]
fn counts(document: &Value, part: &str) -> (u64, u64, u64) {
    let get = |name: &str| document[part][name].as_u64().unwrap();
    (get("tests"), get("ok"), get("ko"))
}

#[test]
fn the_c_library() {
    // Name, inputs with their ranges, formula, a bound that glibc's manual states with one ulp more.
    type Inputs = &'static [(&'static str, f64, f64)];
    let functions: [(&str, Inputs, &str, &str, &str); 10] = [
        ("log1p", &[("x", -0.75, 1000.0)], "(log1p x)", "(2 binary64)", "binary64"),
        ("expm1", &[("x", -20.0, 20.0)], "(expm1 x)", "(2 binary64)", "binary64"),
        ("hypot", &[("x", 0.001, 1000.0), ("y", 0.001, 1000.0)], "(hypot x y)", "(2 binary64)", "binary64"),
        ("sinh", &[("x", -30.0, 30.0)], "(sinh x)", "(3 binary64)", "binary64"),
        ("cbrt", &[("x", -1e6, 1e6)], "(cbrt x)", "(5 binary64)", "binary64"),
        ("atan2", &[("y", -2.0, 2.0), ("x", 0.5, 2.0)], "(atan2 y x)", "(2 binary64)", "binary64"),
        ("erf", &[("x", -3.0, 3.0)], "(erf x)", "(2 binary64)", "binary64"),
        ("sinf", &[("x", -30.0, 30.0)], "(sin x)", "(2 binary32)", "binary32"),
        ("expf", &[("x", -80.0, 80.0)], "(exp x)", "(2 binary32)", "binary32"),
        ("powf", &[("x", 0.125, 8.0), ("y", -8.0, 8.0)], "(pow x y)", "(2 binary32)", "binary32"),
    ];
    let folder = Folder::new();
    for (symbol, inputs, body, ulps, format) in functions {
        let pre: String = inputs.iter().map(|(n, lo, hi)| format!(" (<= {lo} {n} {hi})")).collect();
        let names: Vec<&str> = inputs.iter().map(|i| i.0).collect();
        let point = |k: usize| -> Vec<String> {
            let share = |i: usize| ((k * (2 * i + 1)) % 41) as f64 / 41.0 + 0.01;
            inputs.iter().enumerate().map(|(i, (_, lo, hi))| format!("{}", lo + (hi - lo) * share(i))).collect()
        };
        let rows: String = (0..40).map(|k| point(k).join(",") + "\n").collect();
        folder.write("in.csv", format!("{}\n{rows}", names.join(",")));
        let names = names.join(" ");
        let spec = format!(
            "(FPCore ({names}) :name \"{symbol}\" :pre (and{pre}) :precision {format} :magneto-ulps {ulps} \
             :magneto-out-of-range any {body})"
        );
        folder.write("f.fpcore", spec);
        let ended = folder.run(&["check", "f.fpcore", "in.csv", "--lib", "libm.so.6", "--symbol", symbol, "--json"]);
        if ended.code == Some(4) && !(cfg!(target_os = "linux") && cfg!(target_env = "gnu")) {
            eprintln!("this system has no libm.so.6: {}", ended.err);
            return;
        }
        let document = ended.expect(0).json();
        let (tests, ok, _) = counts(&document, "counts");
        assert_eq!((tests, ok), (40, 40), "{symbol}: {document:#}");
        assert_eq!(document["implementation"]["signature"], if format == "binary32" { "f32" } else { "f64" });
        if cfg!(target_os = "linux") {
            assert_eq!(document["implementation"]["library_sha256"].as_str().map(str::len), Some(64), "{symbol}");
        }
        // The neighbour in the library is another function, and what it is is found out.
        if symbol == "sinh" {
            let wrong =
                folder.run(&["check", "f.fpcore", "in.csv", "--lib", "libm.so.6", "--symbol", "cosh", "--json"]);
            let document = wrong.expect(1).json();
            assert_eq!(document["causes"][0]["class"], "unary", "{document:#}");
            assert!(document["causes"][0]["matches"].as_str().unwrap().contains("`(cosh x)` in place of `(sinh x)`"));
        }
    }
}

#[test]
fn a_right_program_in_c() {
    let document = c("right.c", "blend", &["--signature", "f64-status", "--json"]).expect(0).json();
    let (inside, outside) = (counts(&document, "counts"), counts(&document, "robustness"));
    assert!(inside.0 >= 3 && inside.0 == inside.1, "{document:#}");
    assert!(outside.0 >= 6 && outside.0 == outside.1, "{document:#}");
    let record = &document["implementation"];
    assert!(record["compile"].as_str().unwrap().contains("-shared -fPIC"), "{record:#}");
    assert_eq!(record["function"], "int blend(double, double, double, double *)");
    for hash in ["source_sha256", "library_sha256"] {
        assert_eq!(record[hash].as_str().map(str::len), Some(64), "{record:#}");
    }
    assert_eq!(document["causes"].as_array().map(Vec::len), Some(0));
}

#[test]
fn a_mistake_of_each_class_is_found_and_named() {
    let classes = [
        ("bounds", "`[1, 8.2]` in place of `[1, 9]`"),
        ("add", "`(sqrt a)` in place of `a`"),
        ("delete", "in place of `(sqrt b)`"),
        ("constant", "`7.35` in place of `3.75`"),
        ("variable", "`b` in place of `t`"),
        ("unary", "`(cos a)` in place of `(sin a)`"),
        ("binary", "in place of `(+ (* (sin a) (sqrt b)) (/ 3.75 t))`"),
    ];
    for (class, change) in classes {
        let file = format!("{class}.c");
        let ended = c(&file, "blend", &["--signature", "f64-status", "--json"]).expect(1);
        let document = ended.json();
        let first = &document["causes"][0];
        assert_eq!(first["class"], class, "{document:#}");
        assert!(first["matches"].as_str().unwrap().contains(change), "{class}: {first:#}");
        assert_eq!(first["failures"], first["of_failures"], "{class}: {first:#}");
        assert_eq!(first["results"], first["of_results"], "{class}: {first:#}");
        let text = c(&file, "blend", &["--signature", "f64-status"]).expect(1).out;
        let (n, all) = (&first["failures"], &first["results"]);
        let sentence = format!("({n} of {n} failures, {all} of {all} results)");
        assert!(text.contains(&format!("  [{class}] your results match the specification with")), "{text}");
        assert!(text.contains(&sentence), "{text}");
    }
}

#[test]
fn single_precision_is_a_matter_of_accuracy() {
    let document = c("accuracy.c", "blend", &["--signature", "f64-status", "--json"]).expect(1).json();
    let facts: Vec<&str> = document["facts"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(facts.iter().any(|f| f.starts_with("[accuracy] all failing results are near")), "{document:#}");
    assert!(facts.iter().any(|f| f.contains("all results are binary32 numbers")), "{document:#}");
    // No change of the formula is blamed for it.
    let blamed = document["causes"].as_array().unwrap().iter().filter(|c| c["class"] != "accuracy");
    assert!(blamed.clone().all(|c| c["failures"] != c["of_failures"]), "{document:#}");
    // The same program is good enough for a float.
    c("accuracy.c", "blend", &["--signature", "f64-status", "--rel-error", "1e-6"]).expect(0);
}

#[test]
fn a_formula_that_loses_digits_is_told_from_a_wrong_one() {
    let folder = Folder::new();
    let spec = "(FPCore (x) :name \"naive\" :pre (<= 1e-9 x 0.5) :magneto-ulps (4 binary64) (log (+ 1 x)))";
    folder.write("f.fpcore", spec).write("in.csv", "x\n1e-9\n3e-8\n1e-7\n1e-5\n0.001\n0.25\n0.5\n");
    let source = shown("naive.c");
    let ended = folder.run(&["check", "f.fpcore", "in.csv", "--c-source", &source, "--fn", "naive", "--json"]);
    let document = ended.expect(1).json();
    let first = &document["causes"][0];
    let matches = first["matches"].as_str().unwrap();
    assert!(matches.contains("each operation rounded to binary64") && matches.contains("not the program"), "{first:#}");
    assert_eq!(first["failures"], first["of_failures"]);
    // log1p is what one would write instead.
    folder.write("good.c", "#include <math.h>\ndouble good(double x) { return log1p(x); }\n");
    folder.run(&["check", "f.fpcore", "in.csv", "--c-source", "good.c", "--fn", "good"]).expect(0);
}

#[test]
fn every_signature() {
    let folder = Folder::new();
    for (width, format) in [("f64", "binary64"), ("f32", "binary32")] {
        let spec = format!(
            "(FPCore (x y) :name \"forms\" :precision {format} :pre (and (<= 0 x 8) (<= -4 y 4)) \
             :magneto-out-of-range reject :magneto-ulps (1 {format}) (- x (* 2 y)))"
        );
        folder.write("f.fpcore", spec).write("in.csv", "x,y\n1,2\n0.5,-0.25\n8,4\n3,3\n-1,1\n");
        for (form, function) in [
            ("", "values"),
            ("-out", "out"),
            ("-status", "status"),
            ("-array", "array"),
            ("-array-out", "array_out"),
            ("-array-status", "array_status"),
        ] {
            let (signature, function) = (format!("{width}{form}"), format!("{function}_{width}"));
            let source = shown("forms.c");
            let arguments =
                ["check", "f.fpcore", "in.csv", "--c-source", &source, "--fn", &function, "--signature", &signature];
            let refuses = form.ends_with("status");
            let ended = folder.run(&[&arguments[..], &["--json"]].concat()).expect(i32::from(!refuses));
            let document = ended.json();
            assert_eq!(counts(&document, "counts"), (4, 4, 0), "{signature}: {document:#}");
            assert_eq!(counts(&document, "robustness"), (1, u64::from(refuses), u64::from(!refuses)), "{signature}");
            if refuses {
                assert_eq!(document["tests"][4]["answer"], "reject");
            }
        }
    }
}

#[test]
fn twelve_inputs() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    let terms: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(k, n)| format!("(* {} {n})", if k % 2 == 0 { k as i32 + 1 } else { -(k as i32) - 1 }))
        .collect();
    let ranges: Vec<String> = names.iter().map(|n| format!("(<= 1 {n} 2)")).collect();
    let spec = format!(
        "(FPCore ({}) :name \"twelve\" :pre (and {}) :magneto-rel-error 1e-9 :magneto-abs-error 1e-9 (+ {}))",
        names.join(" "),
        ranges.join(" "),
        terms.join(" ")
    );
    let folder = Folder::new();
    folder.write("f.fpcore", spec);
    let row = |k: usize| (0..12).map(|i| format!("{}", 1.0 + ((i * 5 + k * 3) % 16) as f64 / 16.0)).collect::<Vec<_>>();
    let rows: String = (0..6).map(|k| row(k).join(",") + "\n").collect();
    folder.write("in.csv", format!("{}\n{rows}", names.join(",")));
    let source = shown("forms.c");
    let document = folder
        .run(&["check", "f.fpcore", "in.csv", "--c-source", &source, "--fn", "twelve", "--json"])
        .expect(0)
        .json();
    assert_eq!(counts(&document, "counts"), (6, 6, 0), "{document:#}");
}

#[test]
fn faults_in_a_library_are_verdicts() {
    let folder = Folder::new();
    folder.write("f.fpcore", "(FPCore (x) :name \"same\" :pre (<= 0 x 4) :magneto-ulps (1 binary64) x)");
    folder.write("in.csv", "test_id,x\none,1\nthree,3\ntwo,2\nfour,4\nhalf,0.5\n");
    let source = shown("faults.c");
    let check = |function: &str| {
        let arguments = ["check", "f.fpcore", "in.csv", "--c-source", &source, "--fn", function, "--timeout", "0.5"];
        folder.run(&[&arguments[..], &["--json"]].concat())
    };
    for (function, reason) in [
        ("segv", "signal 11 (SIGSEGV)"),
        ("abrt", "signal 6 (SIGABRT)"),
        ("trap", "signal 4 (SIGILL)"),
        ("fpe", "signal 8 (SIGFPE)"),
        ("hang", "no answer within 0.5 s"),
        ("leave", "ended"),
    ] {
        let document = check(function).expect(1).json();
        assert_eq!(counts(&document, "counts"), (5, 3, 2), "{function}: {document:#}");
        for (k, id) in [(1, "three"), (3, "four")] {
            let test = &document["tests"][k];
            assert_eq!((&test["id"], &test["verdict"]), (&id.into(), &"KO".into()), "{function}: {document:#}");
            assert!(test["reason"].as_str().unwrap().contains(reason), "{function}: {document:#}");
        }
    }
    // What a library prints is not taken for an answer.
    let document = check("noise").expect(0).json();
    assert_eq!(counts(&document, "counts"), (5, 5, 0), "{document:#}");
}

#[test]
fn python() {
    let module = shown("blend.py");
    let check = |function: &str| blend(&["--python", &format!("{module}:{function}"), "--json"]);
    let right = check("right");
    if right.code == Some(4) && Command::new("python3").arg("--version").output().is_err() {
        missing("there is no python3");
        return;
    }
    let document = right.expect(0).json();
    assert!(counts(&document, "robustness").1 >= 6, "{document:#}");
    assert!(document["implementation"]["python_version"].as_str().unwrap().starts_with("3."));
    let document = check("cosine").expect(1).json();
    assert_eq!(document["causes"][0]["class"], "unary", "{document:#}");
    let document = check("misspelt").expect(1).json();
    let reason = document["tests"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("crashed: NameError") && reason.contains("'T'"), "{reason}");
    // The reason says where; a way of more than one step is shown, once and without the harness's own steps.
    assert!(reason.contains("blend.py:23)"), "{reason}");
    assert_eq!(document["stderr"], serde_json::json!([]), "{document:#}");
    let document = check("nested").expect(1).json();
    let way: Vec<&str> = document["stderr"].as_array().unwrap().iter().map(|l| l.as_str().unwrap()).collect();
    let said = |text: &str| way.iter().filter(|l| l.contains(text)).count();
    assert_eq!((said("in nested"), said("in misspelt"), said("NameError"), said("<string>")), (1, 1, 1, 0), "{way:?}");
    let document = check("nothing").expect(1).json();
    assert!(document["tests"][0]["reason"].as_str().unwrap().contains("it returned None"), "{document:#}");
    // An array or a list of one number is one; names of parameters bind where all inputs have one, places where none has.
    for function in ["array", "list_of_one", "permuted", "by_keyword", "other_names", "positional"] {
        let document = check(function).expect(0).json();
        assert!(counts(&document, "counts").1 >= 3, "{function}: {document:#}");
    }
    a_constant_is_checked();
    for (function, said) in [
        ("long_array", "crashed: TypeError: it returned an array of 2 numbers for one input"),
        ("array_of_text", "which is no number"),
    ] {
        let document = check(function).expect(1).json();
        assert!(document["tests"][0]["reason"].as_str().unwrap().contains(said), "{document:#}");
    }
    // One line says what is wrong, without a traceback.
    let fails = |function: &str, said: &str| {
        let ended = blend(&["--python", function]).expect(4).says(&[said]);
        assert!(ended.err.lines().count() == 1 && ended.err.starts_with("error: "), "{}", ended.err);
    };
    let of = |function: &str| format!("{module}:{function}");
    fails(&of("absent"), " has no absent");
    fails(&of("array_of_txt"), " has no array_of_txt; did you mean array_of_text?");
    fails("no_such_module:f", "ModuleNotFoundError");
    let folder = Folder::new();
    folder.write("broken.py", "import math\nx = 1 / 0\n");
    fails(&format!("{}:f", folder.path("broken.py").display()), "ZeroDivisionError: division by zero (");
    // Another number of parameters is no wrong result.
    fails(&of("two"), "two(a, b) takes 2 numbers, and the specification has 3 inputs");
    fails(&of("optional"), "takes from 1 to 2 numbers, and the specification has 3 inputs");
    fails(
        &of("mixed"),
        "mixed(a, b, z) has parameters named a and b, and none named t: names bind where all inputs have",
    );
    fails(&of("keyword"), "keyword(a, b, t, *, unit) takes 3 numbers, and the specification has 3 inputs: missing");
}

/// A function without parameters, for a formula without inputs.
fn a_constant_is_checked() {
    let folder = Folder::new();
    folder.write("c.fpcore", "(FPCore () :magneto-ulps (1 binary64) (* 2 PI))");
    folder.write("c.py", "def circle():\n    return 6.283185307179586\n");
    folder.run(&["check", "c.fpcore", "--python", "c.py:circle"]).expect(0);
}

/// Refusals say nothing of the formula: every one without a value there agrees with them.
#[test]
fn refusals_are_called_refusals() {
    let check = |function: &str| blend(&["--python", &format!("{}:{function}", shown("blend.py")), "--json"]);
    let all = check("refuses");
    if all.code == Some(4) && Command::new("python3").arg("--version").output().is_err() {
        missing("there is no python3");
        return;
    }
    let document = all.expect(1).json();
    let fact = document["facts"][0].as_str().unwrap();
    let n = document["counts"]["tests"].as_u64().unwrap();
    assert!(fact.starts_with("every failure is a refusal") && fact.contains(&format!("{n} of {n} inputs")), "{fact}");
    assert_eq!(document["causes"], serde_json::json!([]));
    // One end of a range that is refused is a cause that the refusals do tell.
    let document = check("strict").expect(1).json();
    assert!(document["facts"][0].as_str().unwrap().starts_with("every failure is a refusal"), "{document:#}");
    assert_eq!(document["causes"][0]["class"], "bounds", "{document:#}");
    let classes: Vec<&serde_json::Value> = document["causes"].as_array().unwrap().iter().map(|c| &c["class"]).collect();
    assert!(classes.iter().all(|c| *c == "bounds"), "{classes:?}");
}

#[test]
fn rust_and_perl_and_the_shell() {
    let folder = Folder::new();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let program = folder.path("blend").display().to_string();
    let built = Command::new(rustc).args(["--edition", "2021", "-o", &program, &shown("blend.rs")]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let document = blend(&["--exec", &program, "--json"]).expect(0).json();
    assert!(counts(&document, "counts").0 >= 3 && counts(&document, "robustness").1 >= 6, "{document:#}");
    if Command::new("perl").args(["-MPOSIX", "-e", "1"]).status().is_ok_and(|s| s.success()) {
        blend(&["--exec", &format!("perl '{}'", shown("blend.pl"))]).expect(0);
    }
    folder.write("f.fpcore", "(FPCore (x) :pre (<= 0 x 4) :magneto-out-of-range any :magneto-ulps (1 binary64) x)");
    folder.run(&["check", "f.fpcore", "--exec", "cat"]).expect(0);
    folder.run(&["check", "f.fpcore", "--exec", "while read x; do echo \"$x\"; done"]).expect(0);
}
