//! Symbolic runs against the interpreter, and paths: what is found goes there, and what is proved infeasible is followed by no
//! input that anybody finds.

use crate::support::compilers::has_clang;
use magneto::cc::Flags;
use magneto::code::compile::compile;
use magneto::code::goal::{GOAL, compile_goal, holds};
use magneto::code::module::Module;
use magneto::code::program::CodeProgram;
use magneto::code::symbolic::Path as Followed;
use magneto::decide::{Asked, DecisionEffort, decide_both};
use magneto::floats::BitsKind;
use magneto::num::random::Random;
use magneto::reach::coverage::{Coverage, CoverageLimits, Reached};
use magneto::reach::paths::{Explorer, PathLimits, PathOutcome};
use magneto::sat::SatVerdict;
use magneto::search::values::any;
use magneto::solve::float::{Sort, Term, TermOp};
use std::path::{Path, PathBuf};

fn source(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file)
}

fn program(file: &str, function: &str) -> CodeProgram {
    let bytes = compile(&[source(file)], &Flags::default()).unwrap();
    CodeProgram::new(Module::decode_c(&bytes).unwrap(), function, &[]).unwrap()
}

/// Inputs of the size that people write, and of every size.
fn random(program: &CodeProgram, rng: &mut Random) -> Vec<u64> {
    let small = rng.index(2) == 0;
    let one = |kind: BitsKind| {
        let x = ((rng.bits() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * 10.0;
        if small { kind.nearest(x) } else { any(kind, rng) }
    };
    program.inputs.iter().map(|i| i.kind).map(one).collect()
}

/// The formulas of a path, and that the inputs are these.
fn with_inputs(path: &mut Followed, input: &[u64]) -> Vec<Term> {
    let mut roots = path.upto(path.decisions.len());
    for (term, bits) in path.inputs.clone().into_iter().zip(input) {
        let sort = path.graph.sort(term);
        let value = match sort {
            Sort::Float(format) => format.from_bits(*bits),
            _ => *bits as i64,
        };
        let value = path.graph.constant(sort, value);
        roots.push(path.graph.apply(TermOp::Same, Sort::Bool, &[term, value]));
    }
    roots
}

const FUNCTIONS: &[(&str, &[&str])] = &[
    (
        "paths/own.c",
        &[
            "newton_sqrt",
            "cubic_root",
            "power",
            "pid",
            "kepler",
            "kepler_sin",
            "adaptive",
            "series",
            "logistic",
            "wrapped",
            "gcd",
            "alert",
        ],
    ),
    ("paths/dichotomic.c", &["dichotomic", "dichotomic_finite"]),
    ("paths/flopsy.c", &["helical", "powell", "wood", "me14"]),
    ("paths/bits.c", &["words", "classes", "casts", "integers", "single", "library", "chosen"]),
];

#[test]
fn every_run_fulfils_the_conditions_of_its_path() {
    if !has_clang() {
        return;
    }
    for (file, functions) in FUNCTIONS {
        for function in *functions {
            let program = program(file, function);
            let limits = PathLimits { decisions: 60, ..PathLimits::default() };
            let mut explorer = Explorer::new(&program, limits);
            let mut rng = Random::seeded(5);
            let mut decided = 0;
            for _ in 0..60 {
                let input = random(&program, &mut rng);
                let (mut path, outcome) = explorer.path_of(&input);
                let mut roots = with_inputs(&mut path, &input);
                if let (Ok(Some(term)), Ok(Some(bits))) = (&path.end, &outcome) {
                    // The result, too.
                    let sort = path.graph.sort(*term);
                    let value = match sort {
                        Sort::Float(format) => format.from_bits(*bits),
                        _ => *bits as i64,
                    };
                    let value = path.graph.constant(sort, value);
                    roots.push(path.graph.apply(TermOp::Same, Sort::Bool, &[*term, value]));
                }
                let effort = DecisionEffort { conflicts: 0, ..DecisionEffort::of_boxes(200) };
                let verdict = decide_both(&path.graph, Asked { roots: &roots, lemmas: &[], effort }).verdict;
                assert_ne!(verdict, SatVerdict::Unsat, "{function}{input:x?}: {outcome:?}, {:?}", path.end);
                decided += u32::from(matches!(verdict, SatVerdict::Sat(..)));
            }
            assert!(decided >= 45, "{function}: {decided} of 60");
        }
    }
}

#[test]
fn what_is_proved_infeasible_is_followed_by_no_input() {
    if !has_clang() {
        return;
    }
    let count = if std::env::var_os("MAGNETO_LONG").is_some() { 1_000_000 } else { 3_000 };
    let mut proved = 0;
    for (file, functions) in FUNCTIONS {
        for function in *functions {
            let program = program(file, function);
            let limits = PathLimits { decisions: 9, paths: 24, boxes: 300, conflicts: 200, ..PathLimits::default() };
            let mut explorer = Explorer::new(&program, limits);
            let table = explorer.explore();
            for row in &table.rows {
                if let PathOutcome::Feasible(input, _) = &row.outcome {
                    let (path, _) = explorer.path_of(input);
                    let goes: Vec<_> = path.decisions.iter().map(|d| d.goal).collect();
                    assert!(goes.starts_with(&row.decisions), "{function}: {row:?}");
                }
            }
            let infeasible: Vec<_> = table.rows.iter().filter(|r| r.outcome == PathOutcome::Infeasible).collect();
            proved += infeasible.len();
            if infeasible.is_empty() {
                continue;
            }
            let mut rng = Random::seeded(7);
            for _ in 0..count / FUNCTIONS.len() / 4 {
                let input = random(&program, &mut rng);
                let (path, _) = explorer.path_of(&input);
                let goes: Vec<_> = path.decisions.iter().map(|d| d.goal).collect();
                for row in &infeasible {
                    assert!(!goes.starts_with(&row.decisions), "{function}{input:x?} follows {:?}", row.decisions);
                }
            }
        }
    }
    assert!(proved > 20, "{proved} paths");
}

/// An input for a condition, if one is found; an error if none is and it is not proved that there is none.
fn reached(file: &str, function: &str, condition: &str) -> Result<Option<Vec<u64>>, String> {
    let plain = program(file, function);
    let goal = compile_goal(&plain, &[source(file)], &Flags::default(), condition).map_err(|e| e.to_string())?;
    let program = CodeProgram::new(goal.compiled.module(None).unwrap(), GOAL, &[]).unwrap();
    let goals = holds(&program);
    assert!(!goals.is_empty(), "{condition}");
    let mut coverage = Coverage::new(&program, &program.reached(), CoverageLimits { evaluations: 20_000, seed: 0 });
    coverage.only(&goals);
    coverage.reach(200_000);
    let all = coverage.goals.iter().zip(&coverage.reached).filter(|(g, _)| goals.contains(g));
    let mut open = false;
    for (_, r) in all {
        match r {
            Reached::By(n) => return Ok(Some(coverage.found[*n].input.clone())),
            Reached::Open(_) => open = true,
            Reached::Infeasible { .. } => {}
        }
    }
    if open { Err("open".to_owned()) } else { Ok(None) }
}

#[test]
fn conditions_on_inputs_and_results() {
    if !has_clang() {
        return;
    }
    let doubles = |x: &[u64]| -> Vec<f64> { x.iter().map(|b| f64::from_bits(*b)).collect() };
    for function in
        ["beale", "beale_all", "freudenstein", "freudenstein_both", "helical", "powell", "rosenbrock", "wood"]
    {
        assert!(matches!(reached("paths/flopsy.c", function, "result == 1"), Ok(Some(_))), "{function}");
    }
    let x = reached("paths/flopsy.c", "me14", "result == 1").unwrap().unwrap();
    let x = doubles(&x)[0];
    assert!(2f64.powf(x) <= 5.0 && x * x >= 5.0 && x >= 0.0, "{x}");
    let x = reached("paths/flopsy.c", "beale", "x1 == 2 * x2 && x1 > 100 && result == 0").unwrap().unwrap();
    let x = doubles(&x);
    assert!(x[0] == 2.0 * x[1] && x[0] > 100.0, "{x:?}");
    // Never both.
    assert_eq!(reached("paths/own.c", "alert", "result == 3 && other - own > 600"), Ok(None));
    let refused = reached("paths/own.c", "alert", "result == nothing").unwrap_err();
    assert!(refused.contains("nothing"), "{refused}");
}
