//! What a test file says of the results, against the oracle.

use crate::floats::FloatSet;
use crate::num::{Interval, Ternary};
use crate::oracle::quick::QuickTolerance;
use crate::oracle::{Ladder, LadderSeen, Oracle, Verdict};
use crate::program::Results;
use crate::spec::OutOfRange;
use crate::suite::Expectation;
use crate::suite::state::engine::Engine;
use crate::tape::eval::Enclosure;
use crate::testfile::{Expected, TestRecord};

/// What a test file takes for right at one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Claim {
    /// A result or a response.
    Expected(Expected),
    /// All results of an interval.
    Interval(f64, f64),
    /// Results of at least this.
    Least(f64),
    /// Results of at most this.
    Most(f64),
    /// All results of an interval: what the test's own tolerance leaves around the result that it expects.
    Within(f64, f64),
}

/// A claim that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Doubt {
    /// The test's id.
    pub id: String,
    /// Its line in the file.
    pub line: usize,
    /// Its input.
    pub input: Vec<f64>,
    /// What the file says.
    pub claim: Claim,
    /// What is owed there.
    pub owed: Expectation,
    /// How far what the file says is from f, in units of the tolerance of the specification; of an interval, the farther
    /// end. None where f has no value there, or the file says no number.
    pub error: Option<f64>,
}

impl Doubt {
    /// Whether the claim is an interval that holds right results and wrong ones: a tolerance that is too wide.
    #[must_use]
    pub fn is_loose(&self) -> bool {
        let (Claim::Interval(lo, hi) | Claim::Within(lo, hi)) = self.claim else { return false };
        let Expectation::Result(oracle) = &self.owed else { return false };
        oracle.ends().is_some_and(|(least, most)| lo <= most && least <= hi)
    }
}

/// The claims of a test.
pub(in crate::suite) fn claims(record: &TestRecord) -> impl Iterator<Item = Claim> {
    let interval = match (record.lo, record.hi) {
        (Some(lo), Some(hi)) => Some(Claim::Interval(lo, hi)),
        (Some(lo), None) => Some(Claim::Least(lo)),
        (None, Some(hi)) => Some(Claim::Most(hi)),
        (None, None) => None,
    };
    let around = match (record.passes, record.expected) {
        (Some((lo, hi)), Some(Expected::Value(_))) if interval.is_none() => Some(Claim::Within(lo, hi)),
        _ => None,
    };
    record.expected.map(Claim::Expected).into_iter().chain(interval).chain(around)
}

/// Whether a claim holds at an input whose f is in an enclosure; rigorous where it decides.
pub(in crate::suite) fn quick(claim: Claim, f: &Enclosure, tolerance: &QuickTolerance) -> Ternary {
    let (least, most) = tolerance.bounds(f.x);
    let valid = |y: f64| {
        let distance = (f.x - Interval::point(y)).abs();
        Ternary::decide(distance.sup() <= least, distance.inf() > most)
    };
    match claim {
        Claim::Expected(Expected::Value(y)) if y.is_finite() => valid(y),
        Claim::Interval(lo, hi) | Claim::Within(lo, hi) => valid(lo) & valid(hi),
        Claim::Expected(_) | Claim::Least(_) | Claim::Most(_) => Ternary::Unknown,
    }
}

/// Whether a claim holds where this is owed.
///
/// An interval must hold no wrong result; that it leaves right ones out is its author's choice. One end alone must not
/// leave out all right results. A value outside the domain can be judged only where the response is not one.
pub(in crate::suite) fn exact(claim: Claim, owed: &Expectation) -> Ternary {
    let verdict = |oracle: &Oracle, y: f64| match oracle.verdict(y) {
        Verdict::Ok => Ternary::True,
        Verdict::Ko => Ternary::False,
        Verdict::Uncertain => Ternary::Unknown,
    };
    match (owed, claim) {
        (Expectation::Result(_), Claim::Expected(Expected::Response(_))) => Ternary::False,
        (Expectation::Result(oracle), Claim::Expected(Expected::Value(y))) => verdict(oracle, y),
        (Expectation::Result(oracle), Claim::Interval(lo, hi) | Claim::Within(lo, hi)) => {
            verdict(oracle, lo) & verdict(oracle, hi)
        }
        (Expectation::Result(oracle), Claim::Least(lo)) => beyond(oracle, |_, hi| hi < lo),
        (Expectation::Result(oracle), Claim::Most(hi)) => beyond(oracle, |lo, _| lo > hi),
        (Expectation::OutOfRange(OutOfRange::Any), _) => Ternary::True,
        // NaN is how a plain function refuses.
        (Expectation::OutOfRange(OutOfRange::Reject), Claim::Expected(Expected::Response(OutOfRange::Nan))) => {
            Ternary::True
        }
        (Expectation::OutOfRange(owed), Claim::Expected(Expected::Response(r))) => Ternary::from(*owed == r),
        (Expectation::OutOfRange(OutOfRange::Saturate), _) => Ternary::Unknown,
        (Expectation::OutOfRange(_), _) => Ternary::False,
    }
}

/// Whether the valid results do not all lie beyond an end.
fn beyond(oracle: &Oracle, is_beyond: impl Fn(f64, f64) -> bool) -> Ternary {
    match *oracle {
        Oracle::Decided { lo, hi, .. } => Ternary::from(!is_beyond(lo, hi)),
        Oracle::Capped { outer, inner } => {
            let inside = inner.0 <= inner.1 && !is_beyond(inner.0, inner.1);
            Ternary::decide(inside, is_beyond(outer.0, outer.1))
        }
        Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => Ternary::Unknown,
    }
}

/// The claims of a test that do not hold, and whether some could not be decided. What lies around a wrong result is not told
/// beside it.
pub(super) fn doubts(engine: &Engine<'_>, record: &TestRecord, owed: &Expectation) -> (Vec<Doubt>, bool) {
    let mut list: Vec<Doubt> = Vec::new();
    let mut unsettled = false;
    for claim in claims(record) {
        match exact(claim, owed) {
            Ternary::False if matches!(claim, Claim::Within(..)) && !list.is_empty() => {}
            Ternary::True => {}
            Ternary::Unknown => unsettled = true,
            Ternary::False => list.push(Doubt {
                id: record.id.clone(),
                line: record.line,
                input: record.input.clone(),
                claim,
                owed: owed.clone(),
                error: error(engine, record, claim),
            }),
        }
    }
    (list, unsettled)
}

/// How far what a claim says is from f, see [`Doubt::error`].
fn error(engine: &Engine<'_>, record: &TestRecord, claim: Claim) -> Option<f64> {
    let (one, other) = match claim {
        Claim::Expected(Expected::Value(y)) | Claim::Least(y) | Claim::Most(y) => (y, y),
        Claim::Interval(lo, hi) | Claim::Within(lo, hi) => (lo, hi),
        Claim::Expected(Expected::Response(_)) => return None,
    };
    if !one.is_finite() || !other.is_finite() || !engine.domain().contains(&record.input) {
        return None;
    }
    let mut ladder = Ladder::new(&engine.own().tape, &record.input, engine.cap());
    let set = (0..ladder.levels()).rev().find_map(|level| match ladder.see(engine.own().spec(), level) {
        LadderSeen::Value(set) => Some(set),
        _ => None,
    })?;
    let format = engine.spec().result_format;
    Some(set.error(one, format).0.max(set.error(other, format).0))
}

/// Whether all that a program with a mistake returns lies where a test itself takes results for right.
pub(super) fn lets_pass(record: &TestRecord, results: &Results) -> bool {
    let Some((lo, hi)) = record.passes else { return false };
    let inside = |s: &FloatSet| !s.nan && !s.minus_infinity && !s.plus_infinity && lo <= s.lo && s.hi <= hi;
    results.sets.iter().all(inside)
}

/// Whether all claims of a test at which f has a value surely hold, by binary64 intervals.
pub(super) fn surely_hold(engine: &Engine<'_>, record: &TestRecord, f: &Enclosure) -> bool {
    claims(record).all(|c| quick(c, f, engine.tolerance()).is_true())
}
