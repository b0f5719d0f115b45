//! The same specification and options give the same result, whatever the number of threads.

use crate::support;
use magneto::mutate::OperatorSet;
use magneto::spec::Spec;
use magneto::suite::{Interrupt, Options, generate};
use std::fmt::Write as _;

/// Everything that a run says, as text.
fn run(spec: &Spec, operators: &OperatorSet, jobs: usize) -> String {
    let mut options = Options { operators: operators.clone(), jobs, ..Options::default() };
    options.limits.boxes = 150;
    let g = generate(spec, &options, &Interrupt::default()).unwrap_or_else(|e| panic!("{}: {e}", spec.name));
    let mut text = String::new();
    for m in &g.mutants {
        let (id, after) = (&m.mutant.id, &m.mutant.after);
        writeln!(text, "{id} {after} {:?} {:?} {:?}", m.status, m.near_miss, m.stats).unwrap();
    }
    for (t, row) in g.tests.iter().zip(&g.matrix) {
        writeln!(text, "{t:?} {row:?}").unwrap();
    }
    for (id, solved) in &g.solved {
        writeln!(text, "{id} {solved:?}").unwrap();
    }
    writeln!(text, "{:?} {}", g.counts, g.interrupted).unwrap();
    text
}

fn same(spec: &Spec, operators: &OperatorSet) {
    let one = run(spec, operators, 1);
    for jobs in [2, 5] {
        let many = run(spec, operators, jobs);
        let different = one.lines().zip(many.lines()).find(|(a, b)| a != b);
        assert!(one == many, "{}, {jobs} threads: {different:?}", spec.name);
    }
    assert!(one.lines().count() > 20, "{}", spec.name);
}

#[test]
fn examples_with_full_operators() {
    let names = ["cube", "ph", "ray-sphere", "sensor"];
    for name in &names[..if support::long() { names.len() } else { 2 }] {
        for spec in support::specs_of(&support::here(&format!("specs/{name}.fpcore"))) {
            same(&spec, &OperatorSet::Full);
        }
    }
}

#[test]
fn formulas_with_paper_operators() {
    let specs = support::paper69();
    let every = if support::long() { 1 } else { 9 };
    for spec in specs.iter().step_by(every) {
        same(spec, &OperatorSet::Paper);
    }
}
