//! Every KO of a kill matrix, every decided oracle and every input of a test, judged independently.

use crate::support;
use crate::support::confirm::{Report, confirm};
use magneto::mutate::OperatorSet;
use magneto::spec::Spec;
use magneto::suite::{Generated, Interrupt, Options, generate};

fn run(spec: &Spec, operators: OperatorSet, boxes: u64) -> Generated {
    let mut options = Options { operators, jobs: 1, ..Options::default() };
    options.limits.boxes = boxes;
    generate(spec, &options, &Interrupt::default()).unwrap_or_else(|e| panic!("{}: {e}", spec.name))
}

fn confirm_all(specs: &[Spec], operators: &OperatorSet, boxes: u64) -> Report {
    let reports = support::on_two_threads(specs, |_, spec| confirm(spec, &run(spec, operators.clone(), boxes)));
    let mut all = Report::default();
    for r in reports {
        all.tests += r.tests;
        all.kills += r.kills;
        all.wrong.extend(r.wrong);
        // On these the judge settles everything but what is exactly 0 by an identity: log(exp(-x)) is -1 where x is 1,
        // 1 / (1 + log(exp(-x))) has no value there, and no enclosure, however narrow, is a point.
        let (by_identity, open): (Vec<String>, Vec<String>) =
            r.open.into_iter().partition(|o| o.contains("-> (log (exp "));
        assert!(by_identity.len() < 10, "{by_identity:#?}");
        all.wrong.extend(open);
    }
    println!("{} specifications, {} tests, {} kills", specs.len(), all.tests, all.kills);
    all
}

fn expect_none(report: &Report) {
    if let Some(path) = std::env::var_os("MAGNETO_WRONG") {
        use std::io::Write as _;
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
        report.wrong.iter().for_each(|w| writeln!(file, "{w}").unwrap());
    }
    let shown: Vec<&String> = report.wrong.iter().take(30).collect();
    assert!(shown.is_empty(), "{} wrong of {} kills:\n{shown:#?}", report.wrong.len(), report.kills);
}

#[test]
fn paper_operators_on_the_69() {
    let specs = support::paper69();
    assert_eq!(specs.len(), 69);
    let boxes = if support::long() { 4000 } else { 300 };
    let report = confirm_all(&specs, &OperatorSet::Paper, boxes);
    assert!(report.kills > 15_000, "{} kills", report.kills);
    expect_none(&report);
}

#[test]
fn full_operators_on_the_examples() {
    let specs: Vec<Spec> = support::files(&support::here("specs")).iter().flat_map(|f| support::specs_of(f)).collect();
    assert!(specs.len() >= 17);
    // Every third of them; with `MAGNETO_LONG` set, all.
    let (every, boxes, least) = if support::long() { (1, 4000, 5_000) } else { (3, 100, 1_500) };
    let specs: Vec<Spec> = specs.into_iter().step_by(every).collect();
    let report = confirm_all(&specs, &OperatorSet::Full, boxes);
    assert!(report.kills > least, "{} kills", report.kills);
    expect_none(&report);
}

/// Beyond the range of binary64 inside, and back in the end: where binary64 intervals are unbounded.
#[test]
fn unbounded_intermediate_results() {
    let texts = [
        "(FPCore (x y) :name \"h\" :pre (and (<= 1e299 x 1e300) (<= 1e299 y 1e300)) :magneto-ulps (1 binary64)
           (sqrt (+ (* x x) (* y y))))",
        "(FPCore (x) :name \"e\" :pre (<= 700 x 800) :magneto-rel-error 1e-10 (* (exp x) (exp (- x))))",
        "(FPCore (x) :name \"q\" :pre (<= 1e200 x 1e300) :magneto-rel-error 1e-3 (/ (+ (* x x) 1) (* x x)))",
        "(FPCore (x) :name \"t\" :pre (<= -1e-200 x 1e-200) :magneto-abs-error 1e-320 (/ (* x x) (+ (* x x) 1e-300)))",
    ];
    let specs: Vec<Spec> = texts.iter().map(|t| support::spec(t)).collect();
    expect_none(&confirm_all(&specs, &OperatorSet::Full, 200));
}
