//! Confirms what a run claims: kills, oracles and inputs here, proofs by attack.

use super::judge::{Judge, Outcome, Tri, in_range, is_value};
use super::points::Points;
use super::rng::Rng;
use magneto::mutate::Change;
use magneto::num::mpfr::Rational;
use magneto::oracle::Oracle;
use magneto::spec::{OutOfRange, RangeEnd, Spec};
use magneto::suite::{EquivalenceProof, Expectation, Generated, Judged, MatrixCell, Status};

/// What was looked at, and what is wrong.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) tests: usize,
    pub(crate) kills: usize,
    pub(crate) wrong: Vec<String>,
    /// What the judge cannot settle.
    pub(crate) open: Vec<String>,
}

/// How many kills of a mutant that is a program are judged.
const PROGRAM_KILLS: usize = 1;

/// Judge every KO, every decided oracle and every input.
pub(crate) fn confirm(spec: &Spec, g: &Generated) -> Report {
    let judge = Judge { spec, most: 8192 };
    let mut report = Report::default();
    let mut judged_programs = vec![0; g.mutants.len()];
    for (test, row) in g.tests.iter().zip(&g.matrix) {
        report.tests += 1;
        let name = format!("{}, {} at {:?}", spec.name, test.id, test.input);
        for (x, input) in test.input.iter().zip(&spec.inputs) {
            if !is_value(*x, input.format) {
                report.wrong.push(format!("{name}: {x:e} is no {}", input.format.name()));
            }
        }
        let (pre, defined) = (judge.precondition(&test.input), judge.defined(&test.input));
        let expected = match test.expectation {
            Expectation::Result(_) => (Tri::Yes, Tri::Yes),
            // Outside by the precondition, or inside where the function has no value.
            Expectation::OutOfRange(_) if pre == Tri::Yes => (Tri::Yes, Tri::No),
            Expectation::OutOfRange(_) => (Tri::No, Tri::Yes),
        };
        if (pre, defined) != expected {
            report.wrong.push(format!("{name}: precondition {pre:?}, value {defined:?}: {:?}", test.expectation));
        }
        if let Expectation::Result(Oracle::Decided { lo, hi, expected }) = test.expectation {
            if let Some(problem) = judge.oracle_problem(lo, hi, &test.input) {
                report.wrong.push(format!("{name}: {problem}"));
            }
            if !(lo <= expected && expected <= hi) {
                report.wrong.push(format!("{name}: {expected:e} is expected and not valid"));
            }
        }
        let first = judge.first(&test.input);
        assert_eq!(row.len(), g.mutants.len());
        for (m, cell) in row.known() {
            let (cell, judged) = (&cell, &g.mutants[m]);
            if !matches!(cell, MatrixCell::Ko { .. }) {
                continue;
            }
            // All choices of all results of a program's calls take long: the first kills of each.
            if matches!(judged.mutant.change, Change::Evaluation(_)) {
                judged_programs[m] += 1;
                if judged_programs[m] > PROGRAM_KILLS {
                    continue;
                }
            }
            report.kills += 1;
            if let Err(found) = judge.confirms(&judged.mutant, &test.input, &first) {
                let m = &judged.mutant;
                report
                    .wrong
                    .push(format!("{name}: KO of {} ({}) {} -> {}: {found}", m.id, m.operator, m.before, m.after));
            }
            if !matches!(judged.status, Status::Killed) {
                report.wrong.push(format!("{name}: KO of {}, which is {}", judged.mutant.id, judged.status.name()));
            }
        }
    }
    let unsettled = |w: &String| w.contains("Maybe") || w.ends_with("Open");
    (report.open, report.wrong) = report.wrong.into_iter().partition(unsettled);
    for (i, judged) in g.mutants.iter().enumerate() {
        let killed = g.matrix.iter().any(|row| matches!(row[i], MatrixCell::Ko { .. }));
        if matches!(judged.status, Status::Killed) != killed {
            report.wrong.push(format!("{}: {} is {} by no test", spec.name, judged.mutant.id, judged.status.name()));
        }
    }
    report
}

/// Attack every proof of a run with `n` points each; the attacks that succeed. Points are the same for all mutants of
/// the specification but for the numbers in their bodies.
pub(crate) fn attack(spec: &Spec, g: &Generated, n: usize, seed: u64) -> (usize, Vec<String>) {
    let mut random = Rng(seed);
    let mut broken = Vec::new();
    let mut proofs = 0;
    for judged in &g.mutants {
        if !matches!(judged.status, Status::Equivalent(_) | Status::Indistinguishable(_)) {
            continue;
        }
        proofs += 1;
        if let Some(problem) = refute(spec, judged, g, n, &mut random) {
            let m = &judged.mutant;
            let what = format!("{} ({}) {} -> {} is no {:?}", m.id, m.operator, m.before, m.after, judged.status);
            broken.push(format!("{}: {what}: {problem}", spec.name));
        }
    }
    (proofs, broken)
}

fn refute(spec: &Spec, judged: &Judged, g: &Generated, n: usize, random: &mut Rng) -> Option<String> {
    let judge = Judge { spec, most: 1024 };
    let equal = matches!(judged.status, Status::Equivalent(_));
    match &judged.mutant.change {
        Change::Body(body) => {
            let mut points = Points::new(spec, &[&spec.core.body, body])?.make(n, random);
            points.extend(judged.near_miss.iter().map(|m| m.input.clone()));
            let known: Vec<_> = g.tests.iter().filter(|t| matches!(t.expectation, Expectation::Result(_))).collect();
            points.extend(known.iter().take(n).map(|t| t.input.clone()));
            for x in points {
                let outcome = judge.compare_with(&judge.first(&x), body, &x);
                let bad = match outcome {
                    Outcome::Apart => true,
                    // A mutant without a value may do anything where any response will do; one function they are not.
                    Outcome::OnlySpec => equal || spec.out_of_range != OutOfRange::Any,
                    // Nothing is owed where f has no value; one function they are not.
                    Outcome::OnlyMutant => equal,
                    Outcome::Meet => equal && judge.differ(body, &x),
                    Outcome::Neither | Outcome::Open => false,
                };
                if bad && judge.precondition(&x) == Tri::Yes {
                    return Some(format!("{outcome:?} at {x:?}"));
                }
            }
        }
        Change::Range { .. } => return range_told_apart(spec, judged, n.min(60), random),
        Change::Evaluation(e) => {
            for x in Points::new(spec, &[&spec.core.body])?.make(n.min(40), random) {
                if judge.precondition(&x) != Tri::Yes || judge.defined(&x) != Tri::Yes {
                    continue;
                }
                let Ok(all) = judge.may_return(e, &x) else { continue };
                if let Some(y) = all.iter().find(|y| !y.is_finite() || judge.valid(**y, &x) == Tri::No) {
                    return Some(format!("{y:e} may be returned at {x:?}"));
                }
            }
        }
        Change::Accuracy(more) => {
            for x in Points::new(spec, &[&spec.core.body])?.make(n, random) {
                if judge.reaches(more, &x) == Tri::Yes && judge.precondition(&x) == Tri::Yes {
                    return Some(format!("reaches far at {x:?}"));
                }
            }
        }
    }
    None
}

/// An input by which a range that was proved to make no difference can be told apart from the specification's: one of the
/// ends of both ranges, their neighbours or a number between, with `n` points for the other inputs.
pub(crate) fn range_told_apart(spec: &Spec, judged: &Judged, n: usize, random: &mut Rng) -> Option<String> {
    let Change::Range { input, range } = &judged.mutant.change else { return None };
    let judge = Judge { spec, most: 1024 };
    let (own, format) = (&spec.inputs[*input].range, spec.inputs[*input].format);
    let largest = format.max();
    // Where a range is without an end, the largest number.
    let end = |e: &Option<RangeEnd>, none: f64| e.as_ref().map_or(none, |e| e.value.to_f64().clamp(-largest, largest));
    let lower = (end(&range.lo, -largest), end(&own.lo, -largest));
    let upper = (end(&range.hi, largest), end(&own.hi, largest));
    let mut values: Vec<f64> = Vec::new();
    for (a, b) in [lower, upper] {
        for x in [a, b] {
            let x32 = f64::from(x as f32);
            values.extend([x, x.next_up(), x.next_down(), x32]);
            values.extend([f64::from((x as f32).next_up()), f64::from((x as f32).next_down())]);
            values.extend([format.floor(x), format.ceil(x)].into_iter().flatten());
        }
        // Even over the numbers and over their magnitudes.
        for _ in 0..STRIP {
            let t = random.unit();
            let scaled = if a * b > 0.0 { a.signum() * a.abs().powf(t) * b.abs().powf(1.0 - t) } else { a * t };
            values.extend([a * t + b * (1.0 - t), scaled].into_iter().filter_map(|x| format.floor(x)));
        }
    }
    values.retain(|x| x.is_finite() && is_value(*x, format));
    values.sort_by(f64::total_cmp);
    values.dedup();
    for mut x in Points::new(spec, &[])?.make(n, random) {
        for v in &values {
            x[*input] = *v;
            if tells_apart(&judge, judged, &x) {
                return Some(format!("in one domain at {x:?}"));
            }
        }
    }
    None
}

/// Whether an input tells a range that was proved to make no difference from the specification's.
pub(crate) fn tells_apart(judge: &Judge<'_>, judged: &Judged, x: &[f64]) -> bool {
    let Change::Range { input, .. } = &judged.mutant.change else { return false };
    // What has no value that a result can be near to is no test; but who takes what the specification refuses is told.
    let own = || in_range(&judge.spec.inputs[*input].range, &Rational::from_f64(x[*input]).expect("a finite input"));
    let unattainable = matches!(judged.status, Status::Indistinguishable(EquivalenceProof::NoTest(_)));
    let exempt = unattainable && own() && !can_be_test(judge, x);
    !exempt && judge.confirms(&judged.mutant, x, &judge.first(x)).is_ok()
}

/// How many numbers between two ends.
const STRIP: usize = 24;

/// Whether some value of the result format surely is within the tolerance.
fn can_be_test(judge: &Judge<'_>, x: &[f64]) -> bool {
    let f = judge.first(x);
    if f.defined == Tri::No {
        return false;
    }
    let format = judge.spec.result_format;
    let clamped = [f.lo.to_f64(), f.hi.to_f64()].map(|z| z.clamp(-format.max(), format.max()));
    let mut near = clamped.into_iter().flat_map(|z| [format.floor(z), format.ceil(z)]).flatten();
    let is_valid = judge.tolerated(x);
    near.any(|y| is_valid(y) == Tri::Yes)
}
