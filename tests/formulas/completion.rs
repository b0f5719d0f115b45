//! `eval --complete` on suites made by hand and at random: with the added tests the score is that of a run's own tests, no more are
//! added than `--minimize` keeps, and tests that are called redundant can be taken out.

use crate::support::{here, long, specs_of};
use magneto::spec::Spec;
use magneto::suite::random::{RandomSpread, random_inputs};
use magneto::suite::{
    Adequacy, Evaluator, Generated, Interrupt, KeptTests, Options, Standing, SuiteEvaluation, generate, is_everyday,
    minimized,
};
use magneto::testfile::TestRecord;

fn record(k: usize, input: Vec<f64>) -> TestRecord {
    TestRecord { id: format!("r{k}"), line: k + 2, input, lo: None, hi: None, expected: None, passes: None }
}

fn judge(spec: &Spec, run: &Generated, records: &[TestRecord]) -> (SuiteEvaluation, KeptTests) {
    let mut evaluator = Evaluator::new(spec, run, 3840, 2, true).unwrap();
    let rows = evaluator.judge(records);
    (evaluator.finish(), KeptTests { records: records.to_vec(), rows })
}

fn killed(e: &SuiteEvaluation) -> Vec<bool> {
    e.killers.iter().map(Option::is_some).collect()
}

/// One suite: what a completion of it promises. Returns how many tests were added.
fn complete(spec: &Spec, run: &Generated, records: &[TestRecord]) -> usize {
    let (evaluation, kept) = judge(spec, run, records);
    let adequacy = Adequacy { run, evaluation: &evaluation };
    let added = adequacy.suggested(spec);
    assert!(added.len() <= minimized(run), "{}: {} added", spec.name, added.len());
    // No test at an everyday input could stand in the place of one at an extreme input.
    let kills = |t: usize, m: usize| run.matrix[t][m].is_kill();
    for t in added.iter().filter(|t| !is_everyday(spec, &run.tests[**t].input)) {
        let by_others = |m: usize| added.iter().any(|o| o != t && kills(*o, m));
        let own = |m: &usize| kills(*t, *m) && !by_others(*m);
        let own: Vec<usize> = adequacy.with(Standing::Missed).into_iter().filter(own).collect();
        let could = |o: &usize| is_everyday(spec, &run.tests[*o].input) && own.iter().all(|m| kills(*o, *m));
        let other = (0..run.tests.len()).filter(|o| !added.contains(o)).find(could);
        assert_eq!(other, None, "{}: in the place of {}", spec.name, run.tests[*t].id);
    }
    let more = added.iter().enumerate().map(|(k, t)| record(1000 + k, run.tests[*t].input.clone()));
    let all: Vec<TestRecord> = records.iter().cloned().chain(more).collect();
    let (completed, rows) = judge(spec, run, &all);
    let after = Adequacy { run, evaluation: &completed };
    assert_eq!(after.with(Standing::Missed), [0usize; 0], "{}", spec.name);
    let (own, reached) = (run.counts.rigorous(), after.counts(0..run.mutants.len()).rigorous());
    assert!(reached.value() >= own.value(), "{}: {reached:?} and {own:?}", spec.name);
    // None of the added tests is superfluous: each kills what no other one does.
    for out in records.len()..all.len() {
        let others = |m: usize| (0..all.len()).any(|t| t != out && rows.rows[t].iter().any(|(k, _)| *k == m));
        let own = rows.rows[out].iter().any(|(m, _)| !others(*m));
        assert!(own, "{}: {} is superfluous", spec.name, all[out].id);
    }
    let redundant = kept.redundant(run.mutants.len());
    let (without, left) = judge(spec, run, &kept.without(&redundant));
    assert_eq!(killed(&without), killed(&evaluation), "{}", spec.name);
    assert_eq!(left.redundant(run.mutants.len()), [0usize; 0], "{}: more could go", spec.name);
    added.len()
}

#[test]
fn fifty_suites() {
    let small = |s: &Spec| s.inputs.len() <= 3 && !s.core.body.children().is_empty();
    let of = |path: &str| specs_of(&here(path)).into_iter().filter(small).collect::<Vec<_>>();
    let named = |list: Vec<Spec>, names: &[&str]| -> Vec<Spec> {
        list.into_iter().filter(|s| names.contains(&s.name.as_str())).collect()
    };
    let mut specs = Vec::new();
    for name in ["airflow", "sinc", "log1p"] {
        specs.extend(of(&format!("specs/{name}.fpcore")));
    }
    let paper = ["verhulst", "predatorPrey", "carbonGas", "sqroot", "sine", "turbine1", "doppler1", "himmilbeau"];
    for file in crate::support::files(&here("fpbench/paper")) {
        specs.extend(named(specs_of(&file), &paper));
    }
    if !long() {
        specs.truncate(8);
    }
    let (mut suites, mut added, mut whole) = (0, 0, 0);
    for spec in &specs {
        let mut options = Options { whole: true, ..Options::default() };
        options.limits.boxes = 400;
        let run = generate(spec, &options, &Interrupt::default()).unwrap();
        whole += usize::from(run.counts.undecided == 0);
        let suite = |inputs: Vec<Vec<f64>>| inputs.into_iter().enumerate().map(|(k, x)| record(k, x)).collect();
        let mut all: Vec<Vec<TestRecord>> = (1..=6)
            .map(|k| {
                let spread = if k % 2 == 0 { RandomSpread::Floats } else { RandomSpread::Numbers };
                suite(random_inputs(spec, 3 * k, spread, k as u64, 3840).unwrap())
            })
            .collect();
        // By hand: nothing but one middle, and the same test twice.
        let middle = random_inputs(spec, 1, RandomSpread::Numbers, 77, 3840).unwrap();
        all.push(suite([middle.clone(), middle].concat()));
        for records in &all {
            added += complete(spec, &run, records);
            suites += 1;
        }
    }
    println!(
        "{suites} suites of {} specifications, {whole} without an undecided mutant; {added} tests added",
        specs.len()
    );
    assert!(suites >= 50 && added > 0);
}
