//! Budgets of memory and interruptions: what is left out is said, and what is there is whole and right.

use crate::cli_support::Folder;
use crate::support;
use magneto::mutate::OperatorSet;
use magneto::oracle::Oracle;
use magneto::spec::{Overrides, Spec, parse_file, resolve};
use magneto::suite::{Expectation, Interrupt, Options, generate};
use std::collections::HashSet;
use std::sync::Mutex;

fn spec(source: &str) -> Spec {
    resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap()
}

const LONG: &str = "(FPCore (x y) :name \"long\" :pre (and (<= 1 x 4) (<= 1 y 2)) :magneto-rel-error 1e-6 \
                    (+ (* (sin x) (exp (- 0 (* x y)))) (+ (sqrt (+ 1 (* x y))) (+ (/ x y) (+ 1 (log y))))))";

/// A bound so large that many of its mutants need a search.
const HARDER: &str = "(FPCore (x y) :name \"harder\" :pre (and (<= 0 x 4) (<= 1 y 2)) :magneto-abs-error 1e-1 \
                      (+ (* (sin x) (exp (- 0 (* x y)))) (/ (sqrt (+ 1 (* x y))) (+ 1 (log y)))))";

#[test]
fn a_budget_that_is_used_up_is_said() {
    let folder = Folder::new();
    let step = |i: usize| format!("[a{} (+ a{i} (* 0.{} a{i}))]", i + 1, i % 9 + 1);
    let lets: Vec<String> = (0..600).map(step).collect();
    folder.write("f.fpcore", format!("(FPCore (x) :pre (<= 0 x 1) (let* ([a0 x] {}) a600))", lets.join(" ")));
    let run = folder.run(&["gen", "f.fpcore", "--max-memory", "64", "--budget", "1"]);
    let run = run.says(&["--max-memory"]);
    assert!(matches!(run.code, Some(0 | 3)), "{:?}", run.code);
}

#[test]
fn every_search_is_told_as_soon_as_it_is_done() {
    let told = Mutex::new(Vec::new());
    let tell = |mutant: &str, _: &_| told.lock().unwrap().push(mutant.to_owned());
    let mut options = Options { operators: OperatorSet::Full, proofs: false, jobs: 1, ..Options::default() };
    options.limits.boxes = 50;
    let spec = self::spec(HARDER);
    let g = generate(&spec, &options, &Interrupt { solved: Some(&tell), ..Interrupt::default() }).unwrap();
    let done: Vec<String> = g.solved.iter().map(|(id, _)| id.clone()).collect();
    assert!(!done.is_empty());
    assert_eq!(told.into_inner().unwrap(), done);
}

/// Nothing that takes long may hold up an interruption; that it takes long is seen by this test taking long.
#[cfg(unix)]
#[test]
fn huge_formulas_are_interrupted() {
    let folder = Folder::new();
    let step = |i: usize| format!("[a{} (+ a{i} (* 0.{} a{i}))]", i + 1, i % 9 + 1);
    let lets: Vec<String> = (0..600).map(step).collect();
    let sums = ["(* x x)", "(sin x)"].repeat(700).join(" ");
    for (name, body) in [("lets", format!("(let* ([a0 x] {}) a600)", lets.join(" "))), ("sums", format!("(+ {sums})"))]
    {
        let file = format!("{name}.fpcore");
        folder.write(&file, format!("(FPCore (x) :name \"{name}\" :pre (<= 0 x 1) {body})"));
        let mut child = folder.command(&["gen", &file, "-o", name]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(1));
        let kill = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        let status = child.wait().unwrap();
        // Before the signal is handled it is an ordinary death.
        assert!(status.code().is_none_or(|c| c == 130), "{name}: {status}");
    }
}

/// What is found is written, however long the formula and however many its mutants.
#[cfg(unix)]
#[test]
fn a_large_run_that_is_interrupted_writes_what_it_found() {
    let folder = Folder::new();
    let choice = |k: usize| format!("(if (< x {k}.5) (sin (+ x {k})) (* y (sqrt (+ x {k}))))");
    let sum: Vec<String> = (1..100).map(choice).collect();
    folder.write("f.fpcore", format!("(FPCore (x y) :pre (and (<= 0 x 100) (<= 1 y 2)) (+ {}))", sum.join(" ")));
    // Nothing is found before the first points are judged, which no second of ours can know.
    for seconds in [2, 4, 8, 16, 32, 64] {
        let mut child = folder.command(&["gen", "f.fpcore", "-o", "out", "--jobs=1"]).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        let kill = std::process::Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        if folder.path("out").exists() {
            break;
        }
    }
    let summary: serde_json::Value = serde_json::from_str(&folder.read("out/summary.json")).unwrap();
    assert_eq!(summary["interrupted"], true);
    let killed = folder.read("out/mutants.csv").lines().filter(|l| l.contains(",killed,")).count();
    assert!(killed > 1000 && folder.read("out/tests.csv").lines().count() > 1, "{killed}");
}

#[test]
fn tests_with_boundary_are_those_without_and_more() {
    let log1p = "(FPCore (x) :name \"log1p\" :precision binary64 :pre (<= -0.9 x 1000) :magneto-ulps 2 (log (+ 1 x)))";
    let airflow = std::fs::read_to_string(support::here("specs/airflow.fpcore")).unwrap();
    for source in [log1p, &airflow, LONG] {
        let inputs = |boundary: bool, operators: OperatorSet| -> HashSet<Vec<u64>> {
            let options = Options { operators, boundary, jobs: 1, ..Options::default() };
            let g = generate(&spec(source), &options, &Interrupt::default()).unwrap();
            g.tests.iter().map(|t| t.input.iter().map(|x| x.to_bits()).collect()).collect()
        };
        for operators in [OperatorSet::Paper, OperatorSet::Full] {
            let (without, with) = (inputs(false, operators.clone()), inputs(true, operators));
            assert!(with.is_superset(&without) && with.len() > without.len(), "{source}");
            assert!(!without.is_empty());
        }
    }
}

/// Where few or no results meet an accuracy, and where values are beyond what precision is there for.
const HARD: &[&str] = &[
    "(FPCore (x) :precision binary64 :pre (<= -1 x 1) :magneto-abs-error 1e-300 (atanh x))",
    "(FPCore (t) :precision binary64 :pre (<= 1 t 2) (* t 1e300))",
    "(FPCore (x) :precision binary64 :pre (<= -100000 x 10) (exp x))",
    "(FPCore (x) :precision binary64 :pre (<= 0 x 1) :magneto-abs-error 1e-320 (- (exp x) 1))",
    "(FPCore (x y) :precision binary32 :pre (and (<= 0 x 2) (<= 0 y 2)) (pow x y))",
];

#[test]
fn every_oracle_that_is_written_is_settled() {
    let mut tests = 0;
    for source in HARD {
        let spec = spec(source);
        let mut options = Options { operators: OperatorSet::Paper, boundary: true, jobs: 1, ..Options::default() };
        options.limits.boxes = 100;
        let Ok(g) = generate(&spec, &options, &Interrupt::default()) else { continue };
        for t in &g.tests {
            let Expectation::Result(oracle) = &t.expectation else { continue };
            assert!(matches!(oracle, Oracle::Decided { .. }), "{source} at {:?}: {oracle:?}", t.input);
            tests += 1;
        }
    }
    assert!(tests > 20, "{tests}");
}

#[test]
fn the_expected_result_of_a_test_is_the_nearest_number() {
    // 1 - erf(1000) is below all numbers; what a glance of 480 bits sees of it is not.
    let body = "(FPCore (x) :precision binary64 :pre (<= 1000 x 1001) :magneto-abs-error 1e-10 (- 1 (erf x)))";
    let options = Options { operators: OperatorSet::Paper, boundary: true, jobs: 1, ..Options::default() };
    let g = generate(&spec(body), &options, &Interrupt::default()).unwrap();
    let mut results = 0;
    for t in &g.tests {
        if let Expectation::Result(oracle) = &t.expectation {
            assert!(matches!(oracle, Oracle::Decided { expected: 0.0, .. }), "{:?}: {oracle:?}", t.input);
            results += 1;
        }
    }
    assert!(results > 2, "{results}");
}
