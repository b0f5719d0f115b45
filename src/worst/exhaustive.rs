//! All inputs of a domain one by one, where they are few enough: a proof by enumeration for the build that was run.

use super::measure::Known;
use super::points::Places;
use super::profile::Profile;
use super::running::{Running, Seen};
use super::space::Space;
use super::{CANDIDATES, Measure, PARTS, Part, Searched};
use crate::csp::InputBox;
use crate::harness::Answer;
use crate::harness::batch::{Caller, Stop};
use crate::oracle::Verdict;
use crate::spec::Spec;
use std::collections::HashSet;

/// Counts of an enumeration, with where it goes on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// How many inputs there are, the values of the formats in their ranges.
    pub inputs: u64,
    /// How many were looked at, from the smallest on.
    pub seen: u64,
    /// Those of the domain, where a result is owed.
    pub owed: u64,
    /// Results surely within the bound.
    pub ok: u64,
    /// Results surely outside of it, and what is no result.
    pub ko: u64,
    /// Not settled at the precision cap.
    pub uncertain: u64,
    /// No result has a larger error. Unit: ulps of the result format.
    pub at_most_ulps: f64,
    /// Inputs with the largest errors, and findings with how often there was one, which are put again when an
    /// interrupted enumeration goes on.
    pub points: Vec<(Vec<f64>, u64)>,
}

impl Tally {
    /// Whether every input was looked at.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.seen == self.inputs
    }
}

/// The most inputs that are enumerated: all of one binary32 input, or of two binary16 inputs.
pub const MOST: u64 = 1 << 32;
/// How many are put at once.
const CHUNK: u64 = 1 << 16;

/// How many inputs there are; none if they are more than [`MOST`].
#[must_use]
pub fn inputs(spec: &Spec) -> Option<u64> {
    let space = Space::new(&InputBox::new(spec).ok()?);
    let widths = space.whole.lo.iter().zip(&space.whole.hi).map(|(lo, hi)| u128::from(lo.abs_diff(*hi)) + 1);
    let all = widths.fold(1u128, u128::saturating_mul);
    (all <= u128::from(MOST)).then_some(all as u64)
}

/// Put all inputs from where `tally` stands. `progress` is told after every chunk, and says whether to go on.
///
/// # Errors
/// The name of an input whose range holds no value of its format.
pub fn exhaust(
    spec: &Spec,
    caller: &mut Caller<'_>,
    (cap, jobs): (u32, usize),
    tally: &mut Tally,
    progress: &mut dyn FnMut(&Tally) -> bool,
) -> Result<Searched, String> {
    let space = Space::new(&InputBox::new(spec)?);
    let measure = Measure::new(spec, cap);
    let parts = space.cells(PARTS);
    let mut run = Running {
        space: &space,
        measure: &measure,
        caller,
        jobs,
        left: u64::MAX,
        spent: 0,
        found: parts.iter().map(|_| Vec::new()).collect(),
        parts,
        findings: Vec::new(),
        profile: Profile::new(spec.inputs.len()),
        ended: HashSet::new(),
    };
    tally.inputs = inputs(spec).unwrap_or(u64::MAX);
    let stopped = all(&mut run, tally, progress).err();
    let mut searched = Searched { evaluations: tally.owed, ..Searched::default() };
    match stopped {
        Some(Stop::Interrupted) => searched.interrupted = true,
        Some(Stop::Broken(broken)) => searched.broken = Some(broken),
        None => {}
    }
    tally.points = run.found.iter().flatten().map(|s| (s.input.clone(), 0)).collect();
    tally.points.extend(run.findings.iter().map(|f| (f.input.clone(), f.times)));
    searched.parts = worst_parts(&run);
    searched.findings = run.findings;
    searched.profile = run.profile;
    Ok(searched)
}

fn worst_parts(run: &Running<'_, '_, '_>) -> Vec<Part> {
    let mut parts: Vec<Part> =
        run.parts.iter().zip(&run.found).filter_map(|(cell, list)| run.worst_of(cell, list)).collect();
    parts.sort_by(|a, b| b.exact.tolerances.total_cmp(&a.exact.tolerances));
    parts
}

fn all(run: &mut Running<'_, '_, '_>, tally: &mut Tally, progress: &mut dyn FnMut(&Tally) -> bool) -> Result<(), Stop> {
    // What was found before an interruption is found again.
    let known: Vec<Places> = tally.points.iter().map(|p| run.space.places(&p.0)).collect();
    run.judge(&known, &vec![0.0; known.len()])?;
    for (input, times) in &tally.points {
        run.findings.iter_mut().filter(|f| f.input == *input && *times > 0).for_each(|f| f.times = *times);
    }
    while tally.seen < tally.inputs {
        let end = (tally.seen + CHUNK).min(tally.inputs);
        let points: Vec<Places> = (tally.seen..end).map(|n| nth(run.space, n)).collect();
        chunk(run, &points, tally)?;
        tally.seen = end;
        if !progress(tally) {
            break;
        }
    }
    Ok(())
}

/// The inputs in order, the last one moving fastest.
fn nth(space: &Space, mut n: u64) -> Places {
    let mut point = vec![0; space.whole.lo.len()];
    for k in (0..point.len()).rev() {
        let width = space.whole.lo[k].abs_diff(space.whole.hi[k]) + 1;
        point[k] = space.whole.lo[k] + (n % width) as i64;
        n /= width;
    }
    point
}

/// What became of one input.
enum Judged {
    /// Surely within the bound or surely not; the bounds of the error in units of the bound, and the error in ulps from above.
    Settled(bool, (f64, f64), f64),
    /// Only more precision can tell.
    Open,
}

fn chunk(run: &mut Running<'_, '_, '_>, points: &[Places], tally: &mut Tally) -> Result<(), Stop> {
    let measure = run.measure;
    let inputs: Vec<Vec<f64>> = points.iter().map(|p| run.space.values(p)).collect();
    let known = run.all(&inputs, |x, scratch| measure.known(x, scratch));
    let asked: Vec<usize> = (0..points.len()).filter(|k| known[*k] != Known::Outside).collect();
    let questions: Vec<Vec<f64>> = asked.iter().map(|k| inputs[*k].clone()).collect();
    let answers = run.caller.call(&questions)?;
    if answers.len() < questions.len() {
        // Why there are no more is what the next call says; the findings are kept.
        let findings = asked.iter().zip(&answers).filter(|(_, a)| !matches!(a, Answer::Value(_)));
        findings.for_each(|(k, answer)| settle(run, &points[*k], answer, &mut Tally::default()));
        run.caller.call(&questions)?;
    }
    let judged: Vec<Judged> = asked
        .iter()
        .zip(&answers)
        .map(|(k, answer)| match (answer, known[*k]) {
            (Answer::Value(y), Known::Value(f)) if y.is_finite() => {
                let (ratio, ulps) = measure.bounds(f, *y);
                match ratio {
                    (_, most) if most <= 1.0 => Judged::Settled(true, ratio, ulps),
                    (least, _) if least > 1.0 => Judged::Settled(false, ratio, ulps),
                    _ => Judged::Open,
                }
            }
            _ => Judged::Open,
        })
        .collect();
    // All that could be the worst of its part: noting is dear.
    let mut worst: Vec<(f64, usize)> = Vec::new();
    let mut open = Vec::new();
    for (n, judged) in judged.iter().enumerate() {
        match judged {
            Judged::Settled(ok, ratio, ulps) => {
                *(if *ok { &mut tally.ok } else { &mut tally.ko }) += 1;
                tally.owed += 1;
                tally.at_most_ulps = tally.at_most_ulps.max(*ulps);
                worst.push((ratio.1, n));
            }
            Judged::Open => open.push(n),
        }
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    worst.truncate(2 * CANDIDATES);
    for (error, n) in worst {
        let Answer::Value(y) = answers[n] else { continue };
        run.profile.add(run.space, &points[asked[n]], error);
        run.note(&points[asked[n]], Seen { error, input: inputs[asked[n]].clone(), result: y });
    }
    for n in open {
        settle(run, &points[asked[n]], &answers[n], tally);
    }
    Ok(())
}

/// What binary64 intervals do not settle.
fn settle(run: &mut Running<'_, '_, '_>, point: &Places, answer: &Answer, tally: &mut Tally) {
    let input = run.space.values(point);
    match answer {
        Answer::Value(y) if y.is_finite() => {
            let Some(exact) = run.measure.exact(&input, *y) else { return };
            tally.owed += 1;
            match exact.oracle.verdict(*y) {
                Verdict::Ok => tally.ok += 1,
                Verdict::Ko => tally.ko += 1,
                Verdict::Uncertain => tally.uncertain += 1,
            }
            tally.at_most_ulps = tally.at_most_ulps.max(exact.ulps.next_up());
            run.profile.add(run.space, point, exact.tolerances);
            run.note(point, Seen { error: exact.tolerances, input, result: *y });
        }
        // Where no finite number is within the tolerance, nothing is owed.
        _ if run.measure.exact(&input, run.measure.format().max()).is_none() => {}
        _ => {
            tally.owed += 1;
            tally.ko += 1;
            tally.at_most_ulps = f64::INFINITY;
            run.finding(&input, answer);
        }
    }
}
