//! `magneto cover`: every branch is taken or proved infeasible, and code may do what it likes.

use crate::support::compilers::has_clang;
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::ins::BranchTest;
use magneto::code::machine::Trap;
use magneto::code::module::Module;
use magneto::code::program::{BranchGoal, CodeProgram};
use magneto::code::run::{Blind, Runner, Watch};
use magneto::reach::coverage::{Coverage, CoverageLimits, Reached};
use magneto::reach::infeasible::BUDGET;
use magneto::record::cover::{BranchStatus, CoveredFunction};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code").join(file)
}

fn program(file: &str, function: &str, elements: &[(String, u32)]) -> CodeProgram {
    let bytes = compile(&[source(file)], &Flags::default()).unwrap();
    CodeProgram::new(Module::decode_c(&bytes).unwrap(), function, elements).unwrap()
}

fn covered(program: &CodeProgram, evaluations: u64, seed: u64) -> CoveredFunction {
    let functions = [program.entry];
    let mut coverage = Coverage::new(program, &functions, CoverageLimits { evaluations, seed });
    coverage.search_and_prove(BUDGET);
    CoveredFunction::new(program, &coverage, &functions)
}

/// The functions of the set, each with what is known of it: how many branches no input takes, and how many of those are
/// not proved.
const SET: [(&str, usize, usize); 4] = [("ladder", 1, 0), ("mean_of_means", 1, 0), ("between", 3, 3), ("newton", 0, 0)];

#[test]
fn every_branch_is_taken_or_proved_infeasible() {
    if !has_clang() {
        return;
    }
    let programs = magneto::bench::cover::programs(&source(""), &Flags::default()).unwrap();
    assert!(programs.len() >= 20);
    for (entry, p) in &programs {
        let known = SET.iter().find(|(name, ..)| *name == entry.function);
        let (never, unproved) = known.map_or((0, 0), |(_, never, unproved)| (*never, *unproved));
        for seed in 0..2 {
            let document = covered(p, 20_000, seed);
            let open: Vec<_> = document.branches.iter().filter(|b| b.status == BranchStatus::Open).collect();
            assert_eq!(open.len(), unproved, "{}, seed {seed}: {open:?}", entry.function);
            assert_eq!(document.infeasible, never - unproved, "{}, seed {seed}: {}", entry.function, document.text());
        }
    }
}

/// The branches that runs take.
#[derive(Default)]
struct Takes(std::collections::HashSet<BranchGoal>);

impl Watch for Takes {
    fn branch(&mut self, site: u32, way: u32, _: BranchTest, _: u64, _: u64) {
        self.0.insert(BranchGoal { site, way });
    }

    fn arm(&mut self, site: u32, arm: u32, _: u32, _: u32) {
        self.0.insert(BranchGoal { site, way: arm });
    }
}

/// Runs of random inputs and of all inputs that were found take no branch that is said to be infeasible.
fn attack(program: &CodeProgram, coverage: &Coverage<'_>, inputs: usize) {
    let mut takes = Takes::default();
    let mut runner = Runner::new(&program.module);
    let mut rng = magneto::num::random::Random::seeded(77);
    let any =
        |_| -> Vec<u64> { program.inputs.iter().map(|i| magneto::search::values::any(i.kind, &mut rng)).collect() };
    let random: Vec<Vec<u64>> = (0..inputs).map(any).collect();
    for input in random.iter().chain(coverage.found.iter().map(|f| &f.input)) {
        let _ = program.run(&mut runner, input, &mut takes);
    }
    for (goal, reached) in coverage.goals.iter().zip(&coverage.reached) {
        let claimed = matches!(reached, Reached::Infeasible { .. });
        assert!(!claimed || !takes.0.contains(goal), "{goal:?} at {:?} is taken", program.place(goal.site));
    }
}

#[test]
fn the_functions_of_fdlibm() {
    let shared = std::env::var_os("MAGNETO_SHARED_DATA").map_or("../shared/data".into(), PathBuf::from);
    let folder = shared.join("fdlibm");
    if !has_clang() || !folder.exists() {
        eprintln!("skipped: no {}", folder.display());
        return;
    }
    let flags = Flags { define: vec!["__LITTLE_ENDIAN".to_owned()], ..Flags::default() };
    let programs = magneto::bench::cover::programs(&folder, &flags).unwrap();
    assert_eq!(programs.len(), 40);
    let (mut taken, mut infeasible, mut all) = (0, 0, 0);
    for (_, program) in &programs {
        let functions = [program.entry];
        let mut coverage = Coverage::new(program, &functions, CoverageLimits { evaluations: 100_000, seed: 0 });
        coverage.search_and_prove(BUDGET);
        attack(program, &coverage, 100);
        let document = CoveredFunction::new(program, &coverage, &functions);
        (taken, infeasible, all) =
            (taken + document.taken, infeasible + document.infeasible, all + document.branches.len());
    }
    // gcov counts 914: it merges two arms of a switch that are two branches here.
    assert_eq!((taken, infeasible, all), (886, 29, 915));
}

#[test]
fn inputs_behind_a_pointer() {
    if !has_clang() {
        return;
    }
    let p = program("table.c", "total", &[("v".to_owned(), 3)]);
    assert_eq!(p.inputs.iter().map(|i| i.name.as_str()).collect::<Vec<_>>(), ["v[0]", "v[1]", "v[2]", "n"]);
    assert_eq!(covered(&p, 100_000, 0).open, 0);
}

#[test]
fn a_branch_that_is_taken_is_never_proved_infeasible() {
    if !has_clang() {
        return;
    }
    for (entry, p) in magneto::bench::cover::programs(&source(""), &Flags::default()).unwrap() {
        let function = &entry.function;
        let mut coverage = Coverage::new(&p, &[p.entry], CoverageLimits { evaluations: 10_000, seed: 9 });
        coverage.search_and_prove(BUDGET / 10);
        attack(&p, &coverage, 2000);
        for (goal, reached) in coverage.goals.iter().zip(&coverage.reached) {
            if matches!(reached, Reached::By(_)) {
                let verdict = magneto::reach::infeasible::prove(&p, *goal, 50_000);
                let infeasible = matches!(verdict, magneto::reach::infeasible::ProofVerdict::Infeasible { .. });
                assert!(!infeasible, "{function}: {goal:?} is taken, and is said to be infeasible");
            }
        }
    }
}

#[test]
fn the_interpreter_gives_what_the_compiler_gives() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let main = folder.path().join("main.c");
    let text = "#include <stdio.h>\n#include <stdlib.h>\ndouble ladder(double); double newton(double);\n\
        int main(void) { char line[99]; while (fgets(line, 99, stdin)) { double x = strtod(line, 0); \
        printf(\"%a %a\\n\", ladder(x), newton(x)); } return 0; }\n";
    std::fs::write(&main, text).unwrap();
    let native = folder.path().join("native");
    let mut cc = Command::new("cc");
    cc.args(["-O0", "-ffp-contract=off", "-o"]).arg(&native).arg(&main);
    let status = cc.arg(source("ladder.c")).arg(source("newton.c")).arg("-lm").status().unwrap();
    assert!(status.success());
    let mut rng = magneto::num::random::Random::seeded(3);
    let kind = magneto::floats::BitsKind::F64;
    let inputs: Vec<u64> = (0..20_000).map(|_| magneto::search::values::any(kind, &mut rng)).collect();
    let lines: String = inputs.iter().map(|x| magneto::num::float::hex(f64::from_bits(*x)) + "\n").collect();
    let file = folder.path().join("inputs");
    std::fs::write(&file, lines).unwrap();
    let output = Command::new(native).stdin(std::fs::File::open(file).unwrap()).output().unwrap();
    let theirs = String::from_utf8(output.stdout).unwrap();
    let (ladder, newton) = (program("ladder.c", "ladder", &[]), program("newton.c", "newton", &[]));
    let mut runners = (Runner::new(&ladder.module), Runner::new(&newton.module));
    for (x, line) in inputs.iter().zip(theirs.lines()) {
        let a = ladder.run(&mut runners.0, &[*x], &mut Blind).unwrap().unwrap();
        let b = newton.run(&mut runners.1, &[*x], &mut Blind).unwrap().unwrap();
        let ours = [a, b].map(f64::from_bits);
        for (y, text) in ours.iter().zip(line.split(' ')) {
            let text = text.trim_start_matches('-');
            let same = if y.is_nan() { text == "nan" } else { number(text) == y.abs() };
            assert!(same, "x = {}: {y:e} and {text}", f64::from_bits(*x));
        }
    }
    assert_eq!(theirs.lines().count(), inputs.len());
}

/// A number as `%a` prints it.
fn number(text: &str) -> f64 {
    if text == "inf" {
        return f64::INFINITY;
    }
    magneto::spec::parse_rational(text).unwrap().to_f64()
}

#[test]
fn code_may_do_what_it_likes() {
    if !has_clang() {
        return;
    }
    let outcome = |function: &str, x: f64| {
        let p = program("bad.c", function, &[]);
        let mut runner = Runner::new(&p.module);
        runner.fuel = 100_000;
        p.run(&mut runner, &[x.to_bits()], &mut Blind)
    };
    assert_eq!(outcome("forever", 1.0), Err(Trap::Fuel));
    assert_eq!(outcome("outside", 1e8), Err(Trap::OutOfBounds));
    assert_eq!(outcome("deep", 1.0), Err(Trap::StackOverflow));
    assert_eq!(outcome("divided", 17.5), Err(Trap::DivisionByZero));
    assert_eq!(outcome("calls", 1.0), Err(Trap::Import("elsewhere".to_owned())));
    assert_eq!(outcome("none", 1.0), Ok(Some(1f64.to_bits())));
}

fn magneto(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_magneto"))
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code"))
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn mistakes_are_told() {
    if !has_clang() {
        return;
    }
    let unknown = magneto(&["cover", "bad.c", "--fn", "nome"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(said(&unknown).contains("there are: forever"), "{}", said(&unknown));
    let missing = magneto(&["cover", "bad.c", "--fn", "calls"]);
    assert_eq!(missing.status.code(), Some(0));
    assert!(said(&missing).contains("`elsewhere` is not there"), "{}", said(&missing));
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.c");
    std::fs::write(&broken, "double f(double x) { return x + ; }\n").unwrap();
    let syntax = magneto(&["cover", broken.to_str().unwrap(), "--fn", "f"]);
    assert_eq!(syntax.status.code(), Some(2));
    assert!(said(&syntax).contains("broken.c:1:33"), "{}", said(&syntax));
    let absent = magneto(&["cover", "absent.c", "--fn", "f"]);
    assert_eq!(absent.status.code(), Some(2));
    assert!(said(&absent).contains("absent.c"), "{}", said(&absent));
    let none = magneto(&["cover", "bad.c", "--fn", "none", "--min-coverage", "1"]);
    assert_eq!(none.status.code(), Some(0), "{}", said(&none));
}

#[test]
fn a_specification_judges_the_inputs() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(
        at("h.c"),
        "#include <math.h>\ndouble h(double x, double y) { if (x == 0) return y; return hypot(x, y); }\n",
    )
    .unwrap();
    let spec =
        "(FPCore (x y) :name \"h\" :pre (and (<= 0 x 1e300) (<= 0 y 1e300)) :magneto-ulps (1 binary64) (hypot x y))";
    std::fs::write(at("h.fpcore"), spec).unwrap();
    let (code, core, out) = (at("h.c"), at("h.fpcore"), at("out"));
    let covered = magneto(&["cover", &code, "--fn", "h", "--spec", &core, "-o", &out]);
    assert_eq!(covered.status.code(), Some(0), "{}", said(&covered));
    assert!(String::from_utf8_lossy(&covered.stdout).contains("coverage          1.0000 (2 of 2)"));
    // The inputs are tests that `check` takes.
    let tests = at("out/tests.csv");
    let checked = magneto(&["check", &core, &tests, "--c-source", &code, "--fn", "h"]);
    assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
    std::fs::write(
        at("w.c"),
        "#include <math.h>\ndouble h(double x, double y) { if (x == 0) return y + 1; return hypot(x, y); }\n",
    )
    .unwrap();
    let wrong = magneto(&["cover", &at("w.c"), "--fn", "h", "--spec", &core]);
    assert_eq!(wrong.status.code(), Some(1), "{}", String::from_utf8_lossy(&wrong.stdout));
}

#[test]
fn the_largest_error_on_each_branch() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (core, out) = ("../../specs/hypot.fpcore", at("out"));
    let run = |judged: &str| {
        let run = magneto(&["cover", "hypot.c", "--fn", "my_hypot", "--spec", core, "--judged", judged, "-o", &out]);
        let read = |name: &str| std::fs::read_to_string(at("out") + name).unwrap();
        (run.status.code(), read("/cover.json"), read("/tests.csv"))
    };
    let (code, json, tests) = run("5000");
    assert_eq!(code, Some(1));
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    let runs = document["runs"].as_array().unwrap();
    let worst = |line: u64, to: u64| {
        let branch = document["branches"].as_array().unwrap().iter().find(|b| b["line"] == line && b["to"] == to);
        &runs[branch.unwrap()["worst"].as_u64().unwrap() as usize]
    };
    // Above 1e160 it is off by as much as the root of 2; below it a school formula is by little.
    let error = |r: &serde_json::Value| r["error_in_ulps"].as_str().unwrap().parse::<f64>().unwrap();
    let (large, small) = (worst(12, 13), worst(14, 15));
    assert_eq!(large["verdict"], "KO");
    assert!(error(large) > 1e15, "{large}");
    assert_eq!(small["verdict"], "OK");
    assert_eq!(error(small), 0.0);
    assert!((0.9..2.0).contains(&error(worst(16, 20))), "{}", worst(16, 20));
    // Each branch's worst input is a test.
    let x = large["input"][0].as_str().unwrap();
    assert!(tests.contains(x), "{x}: {tests}");
    // The same arguments give the same inputs.
    assert_eq!(run("5000").1, json);
}
