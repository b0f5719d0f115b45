//! Goals other than branches: boundaries of comparisons, operations that overflow or make a NaN, divisors of 0, assertions.

use crate::support::compilers::has_clang;
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::ins::BranchTest;
use magneto::code::module::Module;
use magneto::code::probe::ProbeQuestion;
use magneto::code::program::{BranchGoal, CodeProgram};
use magneto::code::run::{Runner, Watch};
use magneto::reach::coverage::{Coverage, CoverageLimits, Reached};
use magneto::record::cover::{BranchStatus, CoveredFunction};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ALL: [ProbeQuestion; 6] = [
    ProbeQuestion::Boundary,
    ProbeQuestion::Overflow,
    ProbeQuestion::Nan,
    ProbeQuestion::Infinity,
    ProbeQuestion::DivisionByZero,
    ProbeQuestion::Assertion,
];

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/code").join(file)
}

fn compiled(file: &str) -> Vec<u8> {
    compile(&[source(file)], &Flags::default()).unwrap()
}

fn asked(bytes: &[u8], function: &str, question: ProbeQuestion) -> CodeProgram {
    CodeProgram::new(Module::decode_asking(bytes, true, Some(question)).unwrap(), function, &[]).unwrap()
}

/// For each goal what is asked and what became of it.
fn goals(function: &str, question: ProbeQuestion) -> Vec<(String, BranchStatus)> {
    let program = asked(&compiled("goals.c"), function, question);
    let functions = [program.entry];
    let mut coverage = Coverage::new(&program, &functions, CoverageLimits { evaluations: 20_000, seed: 0 });
    coverage.search_and_prove(400_000);
    let document = CoveredFunction::new(&program, &coverage, &functions);
    let inputs: Vec<_> = document.runs.iter().map(|r| &r.input_dec).collect();
    eprintln!("{function}, {question:?}: {inputs:?}\n{}", document.text());
    document.branches.iter().map(|b| (b.asked.clone().unwrap(), b.status)).collect()
}

fn expect(function: &str, question: ProbeQuestion, wanted: &[(&str, BranchStatus)]) {
    let wanted: Vec<(String, BranchStatus)> = wanted.iter().map(|(w, s)| ((*w).to_owned(), *s)).collect();
    assert_eq!(goals(function, question), wanted, "{function}, {question:?}");
}

#[test]
fn what_can_happen_is_found_and_the_rest_is_proved() {
    if !has_clang() {
        return;
    }
    use BranchStatus::{Infeasible, Taken};
    let sides = [("both sides equal", Taken), ("left just below right", Taken), ("left just above right", Taken)];
    expect("step", ProbeQuestion::Boundary, &[sides, sides].concat());
    expect(
        "safe",
        ProbeQuestion::Overflow,
        &[("+ overflows", Infeasible), ("/ overflows", Infeasible), ("* overflows", Infeasible)],
    );
    expect(
        "safe",
        ProbeQuestion::Nan,
        &[
            ("sqrt makes a NaN", Infeasible),
            ("+ makes a NaN", Infeasible),
            ("/ makes a NaN", Infeasible),
            ("* makes a NaN", Infeasible),
        ],
    );
    expect("safe", ProbeQuestion::DivisionByZero, &[("divisor is 0", Infeasible)]);
    expect(
        "risky",
        ProbeQuestion::Overflow,
        &[("* overflows", Taken), ("- overflows", Taken), ("+ overflows", Infeasible), ("/ overflows", Taken)],
    );
    expect("risky", ProbeQuestion::DivisionByZero, &[("divisor is 0", Taken)]);
    expect("pressure", ProbeQuestion::Overflow, &[("exp overflows", Taken), ("* overflows", Taken)]);
    expect("pressure", ProbeQuestion::Nan, &[("log makes a NaN", Infeasible), ("* makes a NaN", Taken)]);
    expect(
        "pressure",
        ProbeQuestion::Infinity,
        &[("exp is infinite", Taken), ("log is infinite", Infeasible), ("* is infinite", Taken)],
    );
    let beyond = "conversion to an integer overflows";
    expect("whole", ProbeQuestion::Overflow, &[(beyond, Infeasible), ("/ overflows", Infeasible), (beyond, Taken)]);
    expect("ratio", ProbeQuestion::DivisionByZero, &[("divisor is 0", Infeasible)]);
    let sum = [("* makes a NaN", Infeasible), ("* makes a NaN", Infeasible), ("+ makes a NaN", Infeasible)];
    expect("diagonal", ProbeQuestion::Nan, &[&sum[..], &[("sqrt makes a NaN", Infeasible)]].concat());
    expect("share", ProbeQuestion::DivisionByZero, &[("divisor is 0", Taken)]);
    expect("share", ProbeQuestion::Assertion, &[("fails", Taken), ("fails", Infeasible)]);
}

/// The "yes" of runs.
#[derive(Default)]
struct Yes(HashSet<BranchGoal>);

impl Watch for Yes {
    fn branch(&mut self, _: u32, _: u32, _: BranchTest, _: u64, _: u64) {}

    fn arm(&mut self, _: u32, _: u32, _: u32, _: u32) {}

    fn asked(&mut self, site: u32, yes: bool, _: BranchTest, _: u64, _: u64) {
        self.0.insert(BranchGoal { site, way: u32::from(yes) });
    }
}

/// Nothing that a run does is said to be impossible.
#[test]
fn what_happens_is_never_proved_infeasible() {
    if !has_clang() {
        return;
    }
    let mut proofs = 0;
    let files = [
        ("goals.c", &["step", "safe", "risky", "share", "pressure", "whole", "ratio", "diagonal"][..]),
        ("cases.c", &["length", "roots", "whole_power"]),
        ("reduce.c", &["sine", "power_of_two"]),
        ("machines.c", &["gear", "thermostat"]),
    ];
    for (file, functions) in files {
        let bytes = compiled(file);
        for (function, question) in functions.iter().flat_map(|f| ALL.map(|q| (f, q))) {
            let program = asked(&bytes, function, question);
            let mut coverage = Coverage::new(&program, &[program.entry], CoverageLimits { evaluations: 1500, seed: 3 });
            coverage.search(1500);
            coverage.prove(20_000);
            let mut yes = Yes::default();
            let mut runner = Runner::new(&program.module);
            let mut rng = magneto::num::random::Random::seeded(5);
            for _ in 0..1000 {
                let input: Vec<u64> =
                    program.inputs.iter().map(|i| magneto::search::values::any(i.kind, &mut rng)).collect();
                let _ = program.run(&mut runner, &input, &mut yes);
            }
            for found in &coverage.found {
                let _ = program.run(&mut runner, &found.input, &mut yes);
            }
            for (goal, reached) in coverage.goals.iter().zip(&coverage.reached) {
                let claimed = matches!(reached, Reached::Infeasible { .. });
                proofs += usize::from(claimed);
                assert!(!claimed || !yes.0.contains(goal), "{function}, {question:?}: {:?}", program.asked(goal.site));
            }
            // What the search reached, the boxes do not exclude.
            for (i, goal) in coverage.goals.iter().enumerate() {
                if coverage.is_wanted(i) && matches!(coverage.reached[i], Reached::By(_)) {
                    let verdict = magneto::reach::infeasible::prove(&program, *goal, 5000);
                    let infeasible = matches!(verdict, magneto::reach::infeasible::ProofVerdict::Infeasible { .. });
                    assert!(!infeasible, "{function}, {question:?}: {:?} happens", program.asked(goal.site));
                }
            }
        }
    }
    assert!(proofs > 10, "{proofs}");
}

#[test]
fn goals_on_the_command_line() {
    if !has_clang() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let run = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_magneto"))
            .args(["cover", "goals.c", "--fn", "share", "--goal", "div0", "-o", folder.path().to_str().unwrap()])
            .args(more)
            .current_dir(source(""))
            .output()
            .unwrap()
    };
    let output = run(&[]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        said.contains("goals             1") && said.contains("divisor is 0") && said.contains("parts = 7"),
        "{said}"
    );
    assert!(said.contains("trap: integer division by 0"), "{said}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("cover.csv").contains("divisor is 0"));
    assert!(read("report.html").contains("divisor is 0"));
    assert_eq!(run(&["--lcov", "lines"]).status.code(), Some(2));
}
