//! The answers that are known. Each follows from mathematics or from IEEE 754, none from an earlier version of this program.

use super::{Bench, KnownAnswer, Trouble, is};
use serde_json::Value;

/// All of them, in an order in which later ones find the files of earlier ones.
pub(super) const ANSWERS: &[KnownAnswer] = &[
    KnownAnswer { name: "oracle", known: "sqrt(2), exp(1) and sin(1e22), correctly rounded", check: oracle },
    KnownAnswer { name: "undefined", known: "sqrt has no value at -1", check: undefined },
    KnownAnswer { name: "kill", known: "x + x is not x * x on [1, 2], and [1, 2.2] is another range", check: kill },
    KnownAnswer { name: "equal", known: "fdim(x^2, x) is x^2 - x on [1, 2], and the proof holds twice", check: equal },
    KnownAnswer { name: "rounding", known: "x * (x - 1) in binary64 is within 1e-9 of it, proved", check: rounding },
    KnownAnswer { name: "region", known: "a test in each part of [1, 2]", check: region },
    KnownAnswer { name: "lint", known: "log has no value at 0", check: lint },
    KnownAnswer { name: "check", known: "x is x, and 3 is not 2", check: checked },
    KnownAnswer { name: "worst", known: "the one wrong result among all 31572 inputs", check: worst },
    KnownAnswer { name: "C", known: "a function that cancels is KO", check: c },
    KnownAnswer { name: "Python", known: "a function that cancels is KO", check: python },
    KnownAnswer { name: "eval", known: "a test of f(1) = 0 alone leaves wrong versions", check: eval },
    KnownAnswer { name: "report", known: "a page of the run", check: report },
    KnownAnswer { name: "solve", known: "x + 1 == x has a solution in binary64, x < x has none", check: solve },
    KnownAnswer { name: "cover", known: "no square is below 0; the other branches are taken", check: cover },
    KnownAnswer { name: "reach", known: "the one root of 3 x + 5 == 26", check: reach },
];

/// x^2 - x, of which the right mutants and proofs are seen with the naked eye.
const SELF: &str = "(FPCore (x) :name \"self\" :pre (<= 1 x 2) :magneto-rel-error 1e-9 (- (* x x) x))\n";
/// The result is the input: any program that repeats its input is right.
const SAME: &str = "(FPCore (x) :name \"same\" :precision binary16 :pre (<= 0 x 60000) :magneto-ulps (1 binary16) x)\n";
/// What a program that cancels gets wrong near 0.
const CANCELS: &str = "(FPCore (x) :name \"expm1\" :pre (<= 1e-9 x 1) :magneto-rel-error 1e-12 (- (exp x) 1))\n";

/// The text at a path of a document.
fn text<'a>(document: &'a Value, path: &str) -> Result<&'a str, Trouble> {
    let found = document.pointer(path).and_then(Value::as_str);
    found.ok_or_else(|| Trouble::Wrong(format!("the document has no text {path}")))
}

fn oracle(bench: &Bench) -> Result<(), Trouble> {
    for (operator, at, known) in [
        ("sqrt", "2", "0x1.6a09e667f3bcdp+0"),
        ("exp", "1", "0x1.5bf0a8b145769p+1"),
        ("sin", "1e22", "-0x1.b453ab76bf397p-1"),
    ] {
        let spec = format!("(FPCore (x) :pre (<= 0 x 1e30) :magneto-ulps (0.5 binary64) ({operator} x))");
        bench.write("one.fpcore", &spec)?;
        let document = bench.document(&["oracle", "one.fpcore", "--at", &format!("x={at}")], 0)?;
        let what = format!("{operator}({at})");
        is(&what, text(&document, "/expected")?, known)?;
    }
    Ok(())
}

fn undefined(bench: &Bench) -> Result<(), Trouble> {
    bench.write("one.fpcore", "(FPCore (x) :pre (<= -2 x 2) :magneto-ulps (1 binary64) (sqrt x))")?;
    let said = bench.run(&["oracle", "one.fpcore", "--at", "x=-1"], 0)?;
    match said.contains("undefined") || said.contains("no value") {
        true => Ok(()),
        false => Err(Trouble::Wrong("sqrt(-1) is not said to have no value".to_owned())),
    }
}

/// The mutants of [`SELF`] that put something in the place of something else, in the files of a run.
fn mutants(bench: &Bench, before: &str, after: &str) -> Result<Vec<Value>, Trouble> {
    let document = bench.read("self/mutants.json")?;
    let all = document["mutants"].as_array().cloned().unwrap_or_default();
    let found: Vec<Value> = all.into_iter().filter(|m| m["before"] == before && m["after"] == after).collect();
    match found.is_empty() {
        true => Err(Trouble::Wrong(format!("no mutant has `{after}` in place of `{before}`"))),
        false => Ok(found),
    }
}

fn all_are(bench: &Bench, before: &str, after: &str, status: &str) -> Result<Vec<Value>, Trouble> {
    let found = mutants(bench, before, after)?;
    for mutant in &found {
        is(&format!("the status of `{after}` in place of `{before}`"), text(mutant, "/status")?, status)?;
    }
    Ok(found)
}

fn kill(bench: &Bench) -> Result<(), Trouble> {
    bench.write("self.fpcore", SELF)?;
    bench.run(&["gen", "self.fpcore", "--no-cache", "--quiet", "-o", "self"], 0)?;
    all_are(bench, "[1, 2]", "[1, 2.2]", "killed")?;
    let killed = all_are(bench, "(* x x)", "(+ x x)", "killed")?;
    // The test is one at which the two differ by more than both tolerances.
    let test = text(&killed[0], "/killed_by")?;
    let tests = bench.read("self/tests.json")?;
    let all = tests["tests"].as_array().cloned().unwrap_or_default();
    let row = all.iter().find(|t| t["id"] == test).cloned().unwrap_or_default();
    let x: f64 = text(&row, "/inputs_dec/x")?.parse().unwrap_or(f64::NAN);
    match !(1.0..=2.0).contains(&x) || (x * x - 2.0 * x).abs() > 1e-9 * (x + (x * x - x).abs()) {
        true => Ok(()),
        false => Err(Trouble::Wrong(format!("{test} does not tell x + x from x * x"))),
    }
}

fn equal(bench: &Bench) -> Result<(), Trouble> {
    let found = all_are(bench, "(- (* x x) x)", "(fdim (* x x) x)", "equivalent")?;
    let document = bench.document(&["explain", "self.fpcore", text(&found[0], "/id")?, "--check"], 0)?;
    match document["check"]["points"].as_u64() {
        Some(points) if points > 1000 && document["check"]["refuted_at"].is_null() => Ok(()),
        _ => Err(Trouble::Wrong("the proof was not checked again".to_owned())),
    }
}

fn rounding(bench: &Bench) -> Result<(), Trouble> {
    all_are(bench, "(- (* x x) x)", "x * (-1 + x) in binary64", "indistinguishable")?;
    all_are(bench, "(- (* x x) x)", "x * x - x in binary32", "killed").map(drop)
}

fn region(bench: &Bench) -> Result<(), Trouble> {
    let document = bench.read("self/mutants.json")?;
    let all = document["mutants"].as_array().cloned().unwrap_or_default();
    let regions: Vec<&Value> = all.iter().filter(|m| m["operator"] == "region").collect();
    match !regions.is_empty() && regions.iter().all(|m| m["status"] == "killed") {
        true => Ok(()),
        false => Err(Trouble::Wrong("a part of [1, 2] has no test".to_owned())),
    }
}

fn lint(bench: &Bench) -> Result<(), Trouble> {
    bench.write("log.fpcore", "(FPCore (x) :pre (<= 0 x 1) :magneto-rel-error 1e-9 (log x))")?;
    let said = bench.run(&["lint", "log.fpcore"], 0)?;
    match said.contains("no value") || said.contains("undefined") {
        true => Ok(()),
        false => Err(Trouble::Wrong("nothing is said of log at 0".to_owned())),
    }
}

fn checked(bench: &Bench) -> Result<(), Trouble> {
    bench.write("same.fpcore", SAME)?;
    bench.write("in.csv", "x\n1\n2\n1024\n")?;
    let same = "while read x; do echo $x; done";
    let wrong = "while read x; do case $x in 0x1p+1) echo 3;; *) echo $x;; esac; done";
    let counts = |script: &str, code: i32| {
        let document = bench.document(&["check", "same.fpcore", "in.csv", "--exec", script], code)?;
        Ok((document["counts"]["ok"].as_u64().unwrap_or(0), document["counts"]["ko"].as_u64().unwrap_or(0)))
    };
    let (ok, ko) = counts(same, 0)?;
    is("the number of OK", ok, 3)?;
    is("the number of KO", ko, 0)?;
    let (ok, ko) = counts(wrong, 1)?;
    is("the number of OK", ok, 2)?;
    is("the number of KO", ko, 1)
}

fn worst(bench: &Bench) -> Result<(), Trouble> {
    let script = "while read x; do case $x in 0x1.8p+3) echo 13;; *) echo $x;; esac; done";
    let document = bench.document(&["worst", "same.fpcore", "--exec", script, "--exhaustive"], 1)?;
    is("the input of the worst result", text(&document, "/parts/0/input/x")?, "0x1.8p+3")?;
    is("how many results are wrong", document["exhaustive"]["ko"].as_u64().unwrap_or(0), 1)
}

/// `check` of a function that cancels, by an option that says where it is.
fn cancels(bench: &Bench, options: &[&str]) -> Result<(), Trouble> {
    bench.write("expm1.fpcore", CANCELS)?;
    bench.write("small.csv", "x\n1e-9\n0.000001\n1\n")?;
    let document = bench.document(&[&["check", "expm1.fpcore", "small.csv"], options].concat(), 1)?;
    is("the number of KO", document["counts"]["ko"].as_u64().unwrap_or(0), 2)?;
    is("the number of OK", document["counts"]["ok"].as_u64().unwrap_or(0), 1)
}

fn c(bench: &Bench) -> Result<(), Trouble> {
    bench.needs(&std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()))?;
    bench.write("own.c", "#include <math.h>\ndouble own(double x) { return exp(x) - 1; }\n")?;
    cancels(bench, &["--c-source", "own.c", "--fn", "own"])
}

fn python(bench: &Bench) -> Result<(), Trouble> {
    bench.needs(&std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned()))?;
    bench.write("own.py", "from math import exp\n\n\ndef own(x):\n    return exp(x) - 1\n")?;
    cancels(bench, &["--python", "own.py:own"])
}

fn eval(bench: &Bench) -> Result<(), Trouble> {
    bench.write("one.csv", "x,expected\n1,0\n")?;
    let document = bench.document(&["eval", "self.fpcore", "one.csv"], 0)?;
    match document["missed"].as_u64() > Some(0) {
        true => Ok(()),
        false => Err(Trouble::Wrong("one test is said to kill all mutants".to_owned())),
    }
}

fn report(bench: &Bench) -> Result<(), Trouble> {
    bench.run(&["report", "self", "-o", "page.html", "--quiet"], 0)?;
    let page = std::fs::read_to_string(bench.folder.path().join("page.html"));
    match page.is_ok_and(|p| p.starts_with("<!DOCTYPE html>") && p.contains("self")) {
        true => Ok(()),
        false => Err(Trouble::Wrong("there is no page".to_owned())),
    }
}

fn solve(bench: &Bench) -> Result<(), Trouble> {
    let script =
        |formula: &str| format!("(set-logic QF_FP)\n(declare-const x Float64)\n(assert {formula})\n(check-sat)\n");
    let one = "(fp #b0 #b01111111111 #x0000000000000)";
    bench.write("sat.smt2", &script(&format!("(fp.eq (fp.add RNE x {one}) x)")))?;
    bench.write("unsat.smt2", &script("(fp.lt x x)"))?;
    is("x + 1 == x", bench.run(&["solve", "sat.smt2"], 0)?.trim(), "sat")?;
    is("x < x", bench.run(&["solve", "unsat.smt2"], 0)?.trim(), "unsat")
}

/// That C can be looked into here.
fn looks_into_c(bench: &Bench) -> Result<(), Trouble> {
    bench.needs("clang")?;
    bench.needs("wasm-ld")
}

fn cover(bench: &Bench) -> Result<(), Trouble> {
    looks_into_c(bench)?;
    let code =
        "int sign(double x) {\n  double y = x * x;\n  if (y < 0) return -1;\n  if (y > 4) return 1;\n  return 0;\n}\n";
    bench.write("sign.c", code)?;
    let document = bench.document(&["cover", "sign.c", "--fn", "sign"], 0)?;
    let branches = document["functions"][0]["branches"].as_array().or_else(|| document["branches"].as_array());
    let count = |status: &str| branches.into_iter().flatten().filter(|b| b["status"] == status).count();
    is("the number of branches taken", count("taken"), 3)?;
    is("the number of branches that cannot be taken", count("infeasible"), 1)
}

fn reach(bench: &Bench) -> Result<(), Trouble> {
    looks_into_c(bench)?;
    bench.write("line.c", "double line(double x) { return 3 * x + 5; }\n")?;
    let said = bench.run(&["reach", "line.c", "--fn", "line", "--goal", "result == 26"], 0)?;
    match said.contains(" 7 -> 26\n") {
        true => Ok(()),
        false => Err(Trouble::Wrong("7 is not found".to_owned())),
    }
}
