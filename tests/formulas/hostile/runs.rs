//! Whole runs on specifications at the edge of what has a value.
//!
//! `specs.txt` holds arguments with precondition and accuracy, and below them a body.

use super::{groups, show, text};
use crate::support;
use crate::support::confirm::{attack, confirm};
use magneto::floats::Format;
use magneto::mutate::{MutationOperator, OperatorSet};
use magneto::num::Rational;
use magneto::spec::{Accuracy, Spec, parse_rational};
use magneto::suite::{Interrupt, Options, generate};

/// Whole runs, every KO confirmed and every proof attacked. `MAGNETO_LONG=1` makes all mutants and looks into many
/// more boxes.
#[test]
fn runs_at_the_edge() {
    let long = support::long();
    let specs: Vec<(&str, &str)> =
        groups(include_str!("specs.txt")).into_iter().flat_map(|(h, b)| b.into_iter().map(move |b| (h, b))).collect();
    let judged = support::on_two_threads(&specs, |k, (head, body)| {
        let spec = support::spec(&text(head, body));
        let turn = |n: usize| MutationOperator::ALL[(k * 3 + n) % MutationOperator::ALL.len()];
        let operators = if long { OperatorSet::Full } else { OperatorSet::Only(vec![turn(0), turn(1), turn(2)]) };
        let mut options = Options { operators, jobs: 1, precision_cap: 960, ..Options::default() };
        options.limits.boxes = if long { 2000 } else { 100 };
        let Ok(g) = generate(&spec, &options, &Interrupt::default()) else { return (0, 0, 0, Vec::new()) };
        let report = confirm(&spec, &g);
        let (proofs, broken) = attack(&spec, &g, if long { 300 } else { 30 }, k as u64);
        let wrong = report.wrong.into_iter().chain(broken).map(|w| format!("{w}\n    {head} {body}"));
        if show() {
            println!("{} mutants, {} kills, {proofs} proofs: {head} {body}", g.mutants.len(), report.kills);
        }
        (g.mutants.len(), report.kills, proofs, wrong.collect::<Vec<_>>())
    });
    let sums = judged.iter().fold([0; 3], |s, j| [s[0] + j.0, s[1] + j.1, s[2] + j.2]);
    let [mutants, kills, proofs] = sums;
    println!("{} specifications: {mutants} mutants, {kills} KO, {proofs} proofs", specs.len());
    let wrong: Vec<&String> = judged.iter().flat_map(|j| &j.3).collect();
    assert!(wrong.is_empty(), "{} wrong:\n{wrong:#?}", wrong.len());
    assert!(mutants > 1000 && kills > 1000 && proofs > 100);
}

/// Real formulas at accuracies that are none of theirs, coarse and mixed, so that much is near that is not equal: every
/// KO confirmed and every proof attacked. `MAGNETO_LONG=1` takes all formulas of the paper.
#[test]
fn runs_at_other_accuracies() {
    let long = support::long();
    let number = |text: &str| Some(parse_rational(text).expect("a number"));
    let ulps = |n: u32, format| Some((Rational::from(n), format));
    let accuracies = [
        Accuracy { rel: number("1e-3"), abs: None, ulps: None },
        Accuracy { rel: None, abs: number("0.05"), ulps: None },
        Accuracy { rel: number("1e-4"), abs: number("0.5"), ulps: None },
        Accuracy { rel: None, abs: None, ulps: ulps(3, Format::BINARY16) },
        Accuracy { rel: number("1e-3"), abs: number("1e-6"), ulps: ulps(1, Format::BFLOAT16) },
    ];
    let some = ["doppler1", "sqroot", "hypot", "nonlin1"];
    let specs = support::paper69().into_iter().filter(|s| long || some.iter().any(|n| s.name.contains(n)));
    let other = |spec: Spec| accuracies.clone().map(|accuracy| Spec { accuracy, ..spec.clone() });
    let specs: Vec<Spec> = specs.flat_map(other).collect();
    let judged = support::on_two_threads(&specs, |k, spec| {
        let turn = |n: usize| MutationOperator::ALL[(k * 3 + n) % MutationOperator::ALL.len()];
        let operators = if long { OperatorSet::Full } else { OperatorSet::Only(vec![turn(0), turn(1)]) };
        let mut options = Options { operators, jobs: 1, precision_cap: 960, ..Options::default() };
        options.limits.boxes = if long { 500 } else { 50 };
        let Ok(g) = generate(spec, &options, &Interrupt::default()) else { return (0, Vec::new()) };
        let report = confirm(spec, &g);
        let (proofs, broken) = attack(spec, &g, if long { 100 } else { 20 }, k as u64);
        let wrong = report.wrong.into_iter().chain(broken).map(|w| format!("{w}\n    {}", spec.accuracy));
        (proofs, wrong.collect::<Vec<_>>())
    });
    let wrong: Vec<&String> = judged.iter().flat_map(|j| &j.1).collect();
    let proofs: usize = judged.iter().map(|j| j.0).sum();
    println!("{} runs at other accuracies: {proofs} proofs", specs.len());
    assert!(wrong.is_empty(), "{} wrong:\n{wrong:#?}", wrong.len());
    assert!(proofs > 50, "{proofs} proofs only");
}
