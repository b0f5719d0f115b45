//! `magneto worst` finds where implementations err most, and survives what they do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const MAGNETO: &str = env!("CARGO_BIN_EXE_magneto");

const SPEC: &str = "(FPCore f (x) :precision binary64 :pre (<= -20 x 20) :magneto-ulps (4 binary64) (sinh x))";

/// Runs `worst` on a C function `f` in a folder of its own, and gives the output with the folder.
fn worst(spec: &str, code: &str, more: &[&str]) -> (Output, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.fpcore"), spec).unwrap();
    fs::write(folder.path().join("f.c"), code).unwrap();
    let run = magneto(folder.path(), &["worst", "f.fpcore", "--c-source", "f.c", "--fn", "f"], more);
    (run, folder)
}

fn magneto(folder: &Path, first: &[&str], more: &[&str]) -> Output {
    Command::new(MAGNETO).args(first).args(more).current_dir(folder).output().unwrap()
}

fn document(run: &Output) -> serde_json::Value {
    let text = String::from_utf8_lossy(&run.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}\n{}", String::from_utf8_lossy(&run.stderr)))
}

/// The largest error that was found, in ulps.
fn ulps(document: &serde_json::Value) -> f64 {
    document["parts"][0]["ulps"].as_str().unwrap().parse().unwrap()
}

#[test]
fn a_function_that_cancels_near_zero_is_found_and_the_tests_show_it() {
    let naive = "#include <math.h>\ndouble f(double x) { return (exp(x) - exp(-x)) / 2; }";
    let (run, folder) = worst(SPEC, naive, &["--evaluations", "20000", "-o", "out", "--json"]);
    let found = document(&run);
    assert_eq!(run.status.code(), Some(1), "{found}");
    // Below half an ulp of 1 all digits are lost: the result is 0 for the smallest inputs.
    assert!(ulps(&found) > 1e15, "{found}");
    let first: f64 = found["parts"][0]["tolerances"].as_str().unwrap().parse().unwrap();
    assert!((first - ulps(&found) / 4.0).abs() <= first * 1e-9, "the bound is 4 ulps");
    assert!(found["evaluations"].as_u64().unwrap() <= 20_000);
    let again = ["check", "f.fpcore", "out/worst.csv", "--c-source", "f.c", "--fn", "f"];
    let check = magneto(folder.path(), &again, &[]);
    assert_eq!(check.status.code(), Some(1), "{}", String::from_utf8_lossy(&check.stderr));
    let right = "#include <math.h>\ndouble f(double x) { return sinh(x); }";
    fs::write(folder.path().join("f.c"), right).unwrap();
    let check = magneto(folder.path(), &again, &[]);
    assert_eq!(check.status.code(), Some(0), "{}", String::from_utf8_lossy(&check.stdout));
}

#[test]
fn a_fault_in_a_narrow_strip_is_found() {
    // A fortieth of one binade, of two thousand.
    let strip = "#include <math.h>\ndouble f(double x) { double y = sinh(x); return x > 3.25 && x < 3.3 ? y * (1 + 1e-12) : y; }";
    let (run, _folder) = worst(SPEC, strip, &["--json"]);
    let found = document(&run);
    let at = found["parts"][0]["input"][0][1].as_str().unwrap().to_owned();
    assert!(ulps(&found) > 1000.0 && at.starts_with("0x1.a"), "{found}");
}

#[test]
fn the_same_search_gives_the_same_bytes_whatever_the_number_of_threads() {
    let code = "#include <math.h>\ndouble f(double x) { return sinh(x); }";
    let search = |jobs: &str| {
        let (run, folder) = worst(SPEC, code, &["--evaluations", "5000", "-o", "out", "--jobs", jobs]);
        (run.stdout, fs::read(folder.path().join("out/worst.csv")).unwrap())
    };
    let one = search("1");
    assert!(String::from_utf8_lossy(&one.0).contains("this is a search, not a proof"), "{:?}", one.0);
    assert!(one == search("3"));
}

#[test]
fn crashes_hangs_and_nans_are_findings_and_the_search_goes_on() {
    let hostile = "#include <math.h>\n#include <stdlib.h>\n
        double f(double x) {
            if (x == 2) abort();
            if (x == 3) for (;;) ;
            if (x == 4) return NAN;
            return x > 7 && x < 7.5 ? sinh(x) * 1.5 : sinh(x);
        }";
    let (run, _folder) = worst(SPEC, hostile, &["--evaluations", "5000", "--timeout", "1", "--json"]);
    let found = document(&run);
    assert_eq!(run.status.code(), Some(1), "{found}");
    let findings = found["findings"].as_array().unwrap();
    let at = |what: &str| {
        let one = findings.iter().find(|f| f["what"].as_str().unwrap().starts_with(what));
        one.unwrap_or_else(|| panic!("{what}: {found}"))["input"][0][1].as_str().unwrap().to_owned()
    };
    assert_eq!(
        (at("crash").as_str(), at("no answer in time").as_str(), at("NaN").as_str()),
        ("0x1p+1", "0x1.8p+1", "0x1p+2")
    );
    assert!(ulps(&found) > 1e14, "{found}");
}

#[test]
fn a_program_of_lines_and_conditions_of_the_domain_do_too() {
    let spec = "(FPCore f (x y) :precision binary32 :pre (and (<= 0 x 4) (<= 0 y 4) (<= x y)) :magneto-abs-error 1e-3 (- y x))";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("f.fpcore"), spec).unwrap();
    // Wrong where x > y, which is outside the domain, and where both are large.
    let program = "def f(x, y):\n    return 99.0 if x > y else y - x + (1.0 if x > 3 else 0.0)\n";
    fs::write(folder.path().join("g.py"), program).unwrap();
    let run =
        magneto(folder.path(), &["worst", "f.fpcore", "--python", "g.py:f", "--evaluations", "3000"], &["--json"]);
    let found = document(&run);
    let worst: f64 = found["parts"][0]["tolerances"].as_str().unwrap().parse().unwrap();
    assert!((worst - 1000.0).abs() < 1.0, "{found}");
    let inputs = found["parts"].as_array().unwrap().iter().map(|p| &p["input"]);
    let value = |v: &serde_json::Value| magneto::spec::parse_rational(v[1].as_str().unwrap()).unwrap();
    assert!(inputs.clone().all(|x| value(&x[0]) <= value(&x[1])), "{found}");
}
