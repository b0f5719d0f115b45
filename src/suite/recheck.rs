//! A claim that a mutant cannot be killed, checked again by other means than those that proved it: at exact points in
//! multiple precision and, where two functions are claimed to be close, by a second cover of the domain. What is printed
//! of the proof is checked with it: every form, fact, condition and bound is read from the text and evaluated.

mod points;
mod printed;

use super::state::engine::{Engine, Kind};
use super::state::outside;
use super::state::programs;
use super::{Expectation, MatrixCell};
use crate::csp::meets::meets;
use crate::csp::{Csp, Encoding, Pair};
use crate::mutate::Mutant;
use crate::num::Interval;
use crate::num::Rational;
use crate::oracle::{DEFAULT_CAP, Ladder, LadderSeen, compare};
use crate::program::Program;
use crate::rounding::{RealFunction, standard_bound};
use crate::solve::bisect::{Bisection, choose, halves};
use crate::spec::{Accuracy, EmptyRange, InputBox, Spec};
use crate::tape::eval::Boxes;
use crate::tape::meanvalue::MeanValue;
use crate::tape::{NodeId, evaluate};
use printed::Printed;

/// How much to check.
#[derive(Clone, Copy, Debug)]
pub struct RecheckEffort {
    /// Points of the domain all over it. Default: 10,000, beside the probes and those that are chosen to hurt: pairs of
    /// special values, equal and opposite inputs, where conditions go over. 0 leaves these out too.
    pub points: usize,
    /// Boxes of the second cover; 0 for none. Default: 20,000.
    pub boxes: u64,
}

impl Default for RecheckEffort {
    fn default() -> Self {
        RecheckEffort { points: 10_000, boxes: 20_000 }
    }
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rechecked {
    /// Points at which the claim was seen to hold.
    pub points: usize,
    /// Points that are no test, or at which the precision cap settled nothing.
    pub skipped: usize,
    /// An input at which the claim is false, and why. There must be none.
    pub refuted: Option<(Vec<f64>, String)>,
    /// What the printed proof says, one by one, that was seen to hold at all of the points.
    pub statements: usize,
    /// What it says that could not be read: forms that are too long are cut.
    pub unread: usize,
    /// The second cover of the domain, if there was to be one.
    pub cover: Option<Cover>,
}

/// A cover of the domain by boxes on each of which the valid sets meet; of a program, on each of which the standard model of
/// rounding bounds its error by the tolerance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The boxes looked at.
    pub boxes: u64,
    /// Whether it is complete. If not, the budget was too small for this simpler method: nothing is refuted.
    pub complete: bool,
    /// Whether it shows the printed bound of |f - g| too.
    pub with_bound: bool,
}

/// The precision of the second cover. Unit: bits.
const COVER_BITS: u32 = 240;
/// The step of the ladder at which values that are claimed to be equal are compared: 480 bits.
const EQUAL_LEVEL: usize = 3;

/// What is claimed of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proved {
    /// It is the specification's function on the domain, and has the same domain.
    Equivalent,
    /// No input of the domain kills it.
    Indistinguishable,
}

impl Proved {
    /// The claim of a status as it stands in files; `None` where it claims no such thing.
    #[must_use]
    pub fn of(status: &str) -> Option<Self> {
        match status {
            "equivalent" => Some(Proved::Equivalent),
            "indistinguishable" => Some(Proved::Indistinguishable),
            _ => None,
        }
    }
}

/// Check a claim again, and what is printed of its proof, if there is a text.
///
/// # Errors
/// An input whose range holds no value of its format.
pub fn recheck(
    spec: &Spec,
    mutant: &Mutant,
    claim: Proved,
    proof: Option<&str>,
    effort: RecheckEffort,
) -> Result<Rechecked, EmptyRange> {
    let equal = claim == Proved::Equivalent;
    let engine = Engine::new(spec, vec![mutant.clone()], DEFAULT_CAP)?;
    let printed = Printed::new(spec, mutant, proof.unwrap_or_default());
    let mut found = Rechecked::default();
    for x in printed.points(engine.domain(), effort.points) {
        match at(&engine, &x, equal) {
            Finding::Holds => found.points += 1,
            Finding::Open => found.skipped += 1,
            Finding::Refuted(input, why) => {
                found.refuted = Some((input, why));
                return Ok(found);
            }
        }
        if let Some(why) = printed.refuted_at(&x) {
            found.refuted = Some((x, why));
            return Ok(found);
        }
    }
    (found.statements, found.unread) = printed.counts();
    if effort.boxes > 0 && !equal {
        found.cover = match &engine.kinds()[0] {
            Kind::Body(_) => Some(covered(&engine, printed.ratio(), effort.boxes)),
            Kind::Program(program) => standard_cover(&engine, program, effort.boxes),
            _ => None,
        };
    }
    Ok(found)
}

/// A second cover: with tolerances as small as the printed bound says, and if that does not do with the whole ones.
fn covered(engine: &Engine<'_>, ratio: Option<&Rational>, budget: u64) -> Cover {
    if let Some(ratio) = ratio {
        let bounded = cover(engine, &scaled(&engine.spec().accuracy, ratio), budget);
        if bounded.complete {
            return Cover { with_bound: true, ..bounded };
        }
    }
    cover(engine, &engine.spec().accuracy, budget)
}

/// All tolerances times a number.
fn scaled(accuracy: &Accuracy, by: &Rational) -> Accuracy {
    let times = |r: &Rational| Rational::from(r * by);
    Accuracy {
        rel: accuracy.rel.as_ref().map(times),
        abs: accuracy.abs.as_ref().map(times),
        ulps: accuracy.ulps.as_ref().map(|(n, format)| (times(n), *format)),
    }
}

enum Finding {
    Holds,
    Open,
    Refuted(Vec<f64>, String),
}

/// Look at one point of the domain.
fn at(engine: &Engine<'_>, x: &[f64], equal: bool) -> Finding {
    match &engine.kinds()[0] {
        Kind::Body(_) => body_at(engine, x, equal),
        Kind::Range { input, range } => range_at(engine, x, *input, range.unwrap_or(Interval::EMPTY)),
        Kind::Program(program) => match engine.examine(x).map(|e| e.expectation) {
            Some(Expectation::Result(oracle)) => match programs::cell(program, &oracle, x, engine.ulps(), |_| None) {
                MatrixCell::Ko { .. } => {
                    Finding::Refuted(x.to_vec(), "all that the program may return is invalid".into())
                }
                _ => Finding::Holds,
            },
            _ => Finding::Open,
        },
        Kind::Accuracy => {
            let usable = engine.examine(x).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)));
            match usable {
                true if engine.reaches(0, x) => Finding::Refuted(x.to_vec(), "the larger bound reaches 1000 r".into()),
                true => Finding::Holds,
                false => Finding::Open,
            }
        }
    }
}

fn body_at(engine: &Engine<'_>, x: &[f64], equal: bool) -> Finding {
    if engine.examine(x).is_none() {
        return Finding::Open;
    }
    let Some(pair) = engine.pair(0) else { return Finding::Open };
    let mut ladder = Ladder::new(&pair.tape, x, engine.cap());
    let verdict = compare(&mut ladder, pair.spec(), pair.mutant(), false);
    if verdict.is_kill() {
        return Finding::Refuted(x.to_vec(), format!("the mutant is killed: {verdict:?}"));
    }
    if !equal {
        return Finding::Holds;
    }
    // The last precision of a ladder is shown in full.
    let mut ladder = Ladder::new(&pair.tape, x, engine.cap().min(Ladder::precision(EQUAL_LEVEL)));
    let level = ladder.levels() - 1;
    match (ladder.see(pair.spec(), level), ladder.see(pair.mutant(), level)) {
        (LadderSeen::Value(f), LadderSeen::Value(g)) if f.value.hi < g.value.lo || g.value.hi < f.value.lo => {
            Finding::Refuted(x.to_vec(), "the values differ".into())
        }
        (LadderSeen::Value(_) | LadderSeen::Vast { .. }, LadderSeen::Undefined)
        | (LadderSeen::Undefined, LadderSeen::Value(_) | LadderSeen::Vast { .. }) => {
            Finding::Refuted(x.to_vec(), "only one of the two has a value".into())
        }
        (LadderSeen::Value(_), LadderSeen::Value(_)) => Finding::Holds,
        _ => Finding::Open,
    }
}

/// With the input moved to where the ranges differ.
fn range_at(engine: &Engine<'_>, x: &[f64], input: usize, range: Interval) -> Finding {
    if !engine.judge().tells() {
        return Finding::Holds;
    }
    let own = engine.domain().ranges[input];
    let moved = |value: f64| {
        let mut p = x.to_vec();
        p[input] = value;
        p
    };
    for (strips, taken) in
        [(outside::strips(engine, input, own, range), false), (outside::strips(engine, input, range, own), true)]
    {
        for p in strips.iter().flat_map(|s| outside::values(engine, input, *s)).map(moved) {
            let shows = if taken {
                engine.is_taken(&p)
            } else {
                engine.examine(&p).is_some_and(|e| matches!(e.expectation, Expectation::Result(_)))
            };
            if shows {
                return Finding::Refuted(p, "an input of one range and not of the other, with a value".into());
            }
        }
    }
    Finding::Holds
}

/// Cover the domain by bisection alone, no contraction: a box is done where natural evaluation in multiple precision or
/// the mean value form says so.
fn cover(engine: &Engine<'_>, accuracy: &Accuracy, budget: u64) -> Cover {
    let open = |boxes| Cover { boxes, complete: false, with_bound: false };
    let Some(pair) = engine.pair(0) else { return open(0) };
    let pair = Pair { spec_accuracy: accuracy.clone(), mutant_accuracy: accuracy.clone(), ..pair };
    let (mut boxes, mut mean_value) = (0, MeanValue::default());
    for csp in Csp::build(&pair, engine.domain(), Encoding::Separation) {
        let mut left = vec![(csp.start.ranges.clone(), 0)];
        while let Some((domain, depth)) = left.pop() {
            boxes += 1;
            if boxes > budget {
                return open(budget);
            }
            if meets(&csp, &domain, COVER_BITS) || meets_by_slopes(&csp, &domain, &mut mean_value) {
                continue;
            }
            match choose(Bisection::Largest, &domain, &[], depth).and_then(|i| halves(&csp.start, &domain, i, depth)) {
                Some(two) => left.extend(two.map(|half| (half, depth + 1))),
                None if *accuracy == engine.spec().accuracy && point_meets(engine, &csp.start, &domain) => {}
                None => return open(boxes),
            }
        }
    }
    Cover { boxes, complete: true, with_bound: false }
}

/// Bound the rounding errors of a program by the standard model alone.
fn standard_cover(engine: &Engine<'_>, program: &Program, boxes: u64) -> Option<Cover> {
    let own = engine.own();
    let exact = RealFunction { tape: &own.tape, root: own.f, conditions: &own.conditions };
    let bound = standard_bound(program, exact, engine.domain(), &engine.spec().accuracy, engine.ulps(), boxes)?;
    Some(Cover { boxes: bound.boxes, complete: bound.value <= 1.0, with_bound: false })
}

/// Whether the valid sets meet on all of a box by derivatives, where both functions have values on all of it.
fn meets_by_slopes(csp: &Csp, domain: &[Interval], mean_value: &mut MeanValue) -> bool {
    let mut v = Vec::new();
    evaluate(csp.tape(), &mut Boxes { inputs: domain }, &mut v);
    if !(v[csp.f.index()].def.is_true() && v[csp.g.index()].def.is_true()) {
        return false;
    }
    let mut never_positive = |n: NodeId| mean_value.never_positive(csp.tape(), n, domain, &v).is_some();
    never_positive(csp.gap) || csp.relative.is_some_and(|r| never_positive(r.gap))
}

/// The same for a box that is one point, up to the precision cap.
fn point_meets(engine: &Engine<'_>, start: &InputBox, domain: &[Interval]) -> bool {
    let x = start.clamp(&domain.iter().map(|x| x.inf()).collect::<Vec<_>>());
    matches!(body_at(engine, &x, false), Finding::Holds)
}
