//! What a specification says of one exact input: the precision ladder, the oracle, and verdicts on results and mutants.

pub mod formula;
pub mod quick;
pub mod shared;
mod valid;

pub use valid::{Ends, ValidSet, tolerance};

use crate::num::float::{Format, power_of_two};
use crate::num::mpfr::{Float, Round};
use crate::num::{MpInterval, Rational, Ternary};
use crate::ops::Exact;
use crate::spec::Accuracy;
use crate::tape::eval::{Multi, Rationals, mp_truth};
use crate::tape::{NodeId, Tape, evaluate};
use std::borrow::Borrow;

/// The first precision of the ladder, in bits; every step doubles it.
pub const FIRST_PRECISION: u32 = 120;
/// The default last precision of the ladder, in bits.
pub const DEFAULT_CAP: u32 = 3840;

/// One function on a tape, with the accuracy asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    /// The tape.
    pub tape: &'a Tape,
    /// The node.
    pub root: NodeId,
    /// The tolerance around its value.
    pub accuracy: &'a Accuracy,
}

/// What one precision says of a function at one input.
// One at a time lives, on the stack: a box would only cost an allocation.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug)]
pub enum Seen {
    /// It has a value.
    Value(ValidSet),
    /// It has one of a magnitude beyond every format's, positive or negative.
    Vast {
        /// Its sign.
        positive: bool,
    },
    /// It surely has none.
    Undefined,
    /// Not settled: a divisor's enclosure still holds 0, say, or the enclosure is unbounded.
    Unsettled,
}

impl Seen {
    /// What an exact value says.
    fn exact(value: &Exact, accuracy: &Accuracy) -> Self {
        match value {
            Exact::Value(v) => Seen::Value(ValidSet::new(Ends::exact(v.clone()), accuracy)),
            Exact::Undefined => Seen::Undefined,
            Exact::Unknown => Seen::Unsettled,
        }
    }

    /// What an enclosure says.
    fn of(v: &MpInterval, accuracy: &Accuracy) -> Self {
        match v.def {
            Ternary::False => Seen::Undefined,
            Ternary::Unknown => Seen::Unsettled,
            Ternary::True if is_vast(&v.lo) && v.lo > 0 => Seen::Vast { positive: true },
            Ternary::True if is_vast(&v.hi) && v.hi < 0 => Seen::Vast { positive: false },
            Ternary::True => match (exact_rational(&v.lo, Round::Down), exact_rational(&v.hi, Round::Up)) {
                (Some(lo), Some(hi)) => Seen::Value(ValidSet::new(Ends { lo, hi }, accuracy)),
                _ => Seen::Unsettled,
            },
        }
    }
}

/// Evaluates functions of one tape at one exact input, precision by precision.
pub struct Ladder<'a> {
    tape: &'a Tape,
    point: Vec<Rational>,
    cap: u32,
    exact: Option<Vec<Exact>>,
    steps: Vec<Vec<MpInterval>>,
}

impl<'a> Ladder<'a> {
    /// Evaluate `tape` at `point`, up to `cap` bits.
    #[must_use]
    pub fn new(tape: &'a Tape, point: &[f64], cap: u32) -> Self {
        let point = point.iter().map(|x| crate::num::float::rational(*x)).collect();
        Ladder { tape, point, cap, exact: None, steps: Vec::new() }
    }

    /// The precisions of the ladder. Step 0 is exact rational arithmetic, the others are multiple-precision.
    pub fn levels(&self) -> usize {
        levels(self.cap)
    }

    /// The precision of a step in bits.
    #[must_use]
    pub fn precision(level: usize) -> u32 {
        FIRST_PRECISION << level.saturating_sub(1)
    }

    /// The value of a node at a step, its truth value if it is a condition.
    pub fn truth(&mut self, node: NodeId, level: usize) -> Ternary {
        if level == 0 {
            return match &self.exact()[node.index()] {
                Exact::Value(v) => Ternary::from(*v != 0),
                Exact::Undefined => Ternary::False,
                Exact::Unknown => Ternary::Unknown,
            };
        }
        let v = &self.step(level)[node.index()];
        match v.def {
            Ternary::True => mp_truth(v),
            // A condition without a value does not hold.
            Ternary::False => Ternary::False,
            Ternary::Unknown => mp_truth(v) & Ternary::Unknown,
        }
    }

    /// What a step says of a function.
    pub fn see(&mut self, function: Function<'_>, level: usize) -> Seen {
        let root = function.root.index();
        if level == 0 {
            Seen::exact(&self.exact()[root], function.accuracy)
        } else {
            Seen::of(&self.step(level)[root], function.accuracy)
        }
    }

    fn exact(&mut self) -> &[Exact] {
        let (tape, point) = (self.tape, &self.point);
        self.exact.get_or_insert_with(|| {
            let mut values = Vec::new();
            evaluate(tape, &mut Rationals { inputs: point }, &mut values);
            values
        })
    }

    fn step(&mut self, level: usize) -> &[MpInterval] {
        while self.steps.len() < level {
            let precision = Self::precision(self.steps.len() + 1);
            let inputs: Vec<_> = self.point.iter().map(|x| MpInterval::from_rational(x, precision)).collect();
            let mut values = Vec::new();
            evaluate(self.tape, &mut Multi { inputs: &inputs, precision }, &mut values);
            self.steps.push(values);
        }
        &self.steps[level - 1]
    }
}

/// The number of steps of a ladder up to `cap` bits.
fn levels(cap: u32) -> usize {
    1 + (0..).take_while(|k| FIRST_PRECISION << k <= cap.max(FIRST_PRECISION)).count()
}

/// Numbers beyond 2^±this have no rational form worth its memory, and no format comes near them.
const MAX_EXPONENT: i32 = 1 << 16;

/// Whether a number that is not NaN is infinite or at least 2^[`MAX_EXPONENT`] in magnitude.
fn is_vast(x: &Float) -> bool {
    x.is_infinite() || x.get_exp().is_some_and(|e| e > MAX_EXPONENT)
}

/// The exact value of an MPFR number of a sensible magnitude; a tiny one is moved in the direction, to 0 or to
/// 2^-[`MAX_EXPONENT`]. None for a vast one.
fn exact_rational(x: &Float, round: Round) -> Option<Rational> {
    if is_vast(x) {
        return None;
    }
    if x.get_exp().is_some_and(|e| e < -MAX_EXPONENT) {
        let away = x.is_sign_positive() == (round == Round::Up);
        let tiny = power_of_two(-MAX_EXPONENT);
        return Some(match (away, x.is_sign_positive()) {
            (false, _) => Rational::new(),
            (true, true) => tiny,
            (true, false) => -tiny,
        });
    }
    x.to_rational()
}

/// Whether the valid set of a vast value surely holds vast values of its sign only: the tolerance is at most half of
/// the value.
fn stays_vast(accuracy: &Accuracy) -> bool {
    let half = Rational::from((1, 2));
    accuracy.rel.as_ref().is_none_or(|r| *r <= half)
        && accuracy.abs.as_ref().is_none_or(|a| *a <= power_of_two(MAX_EXPONENT / 2))
        && accuracy.ulps.as_ref().is_none_or(|(n, f)| (n * unit_roundoff(*f)) * 2 <= half)
}

/// Whether a number is far below vast ones.
fn is_modest(x: &Rational) -> bool {
    x.clone().abs() < power_of_two(MAX_EXPONENT / 2)
}

/// The oracle of one input.
#[derive(Clone, Debug, PartialEq)]
pub enum Oracle {
    /// A result `y` is OK if `lo <= y <= hi`, otherwise KO.
    Decided {
        /// The smallest valid value of the result format.
        lo: f64,
        /// The largest valid value of the result format.
        hi: f64,
        /// The value of the format nearest to f(x), for reading.
        expected: f64,
    },
    /// The precision cap was reached: results inside `inner` are OK, outside `outer` KO, between them UNCERTAIN.
    Capped {
        /// The largest interval that may be valid.
        outer: (f64, f64),
        /// The interval that surely is valid; empty if the ends are crossed.
        inner: (f64, f64),
    },
    /// No value of the result format is within the tolerance.
    Unsatisfiable,
    /// f has no value at the input.
    Undefined,
    /// Whether f has a value at the input is not settled at the precision cap.
    Unsettled,
}

/// A verdict on a returned result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Within the bound.
    Ok,
    /// Not within the bound.
    Ko,
    /// Not settled at the precision cap.
    Uncertain,
}

impl Verdict {
    /// As it stands in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Ok => "OK",
            Verdict::Ko => "KO",
            Verdict::Uncertain => "UNCERTAIN",
        }
    }
}

impl Oracle {
    /// The verdict on a returned value; NaN and infinities are KO. Where f has no value every result is KO; where
    /// that is not settled, uncertain.
    #[must_use]
    pub fn verdict(&self, y: f64) -> Verdict {
        let within = |(lo, hi): (f64, f64)| lo <= y && y <= hi;
        if !y.is_finite() {
            return if *self == Oracle::Unsettled { Verdict::Uncertain } else { Verdict::Ko };
        }
        match *self {
            Oracle::Decided { lo, hi, .. } => {
                if within((lo, hi)) {
                    Verdict::Ok
                } else {
                    Verdict::Ko
                }
            }
            Oracle::Capped { outer, inner } => {
                if within(inner) {
                    Verdict::Ok
                } else if within(outer) {
                    Verdict::Uncertain
                } else {
                    Verdict::Ko
                }
            }
            Oracle::Unsatisfiable | Oracle::Undefined => Verdict::Ko,
            Oracle::Unsettled => Verdict::Uncertain,
        }
    }
}

/// The oracle of `function` at the input of the ladder, for results of `format`.
#[must_use]
pub fn oracle(ladder: &mut Ladder<'_>, function: Function<'_>, format: Format) -> Oracle {
    oracle_at(ladder, function, format).0
}

/// The oracle, and the step of the ladder that settled it (the last one if none did).
#[must_use]
pub fn oracle_at(ladder: &mut Ladder<'_>, function: Function<'_>, format: Format) -> (Oracle, usize) {
    let mut best = (Oracle::Unsettled, ladder.levels() - 1);
    // The exact step is tried last but one: it decides ties that no precision can, and costs more than a few bits.
    for level in order(ladder.levels()) {
        match ladder.see(function, level) {
            Seen::Undefined => return (Oracle::Undefined, level),
            Seen::Vast { .. } if stays_vast(function.accuracy) => return (Oracle::Unsatisfiable, level),
            Seen::Unsettled | Seen::Vast { .. } => {}
            Seen::Value(set) => match round_inward(&set, format) {
                decided @ (Oracle::Decided { .. } | Oracle::Unsatisfiable) => return (decided, level),
                open => best.0 = open,
            },
        }
    }
    best
}

/// The steps in the order in which they are worth trying: two precisions, exact arithmetic, the other precisions.
fn order(levels: usize) -> impl Iterator<Item = usize> {
    (1..levels.min(3)).chain([0]).chain(3..levels)
}

/// The valid values of the format.
fn round_inward(set: &ValidSet, format: Format) -> Oracle {
    let (lo_out, lo_in) = (format.ceil_rational(&set.lower.lo), format.ceil_rational(&set.lower.hi));
    let (hi_out, hi_in) = (format.floor_rational(&set.upper.hi), format.floor_rational(&set.upper.lo));
    let (Some(outer_lo), Some(outer_hi)) = (lo_out, hi_out) else { return Oracle::Unsatisfiable };
    if outer_lo > outer_hi {
        return Oracle::Unsatisfiable;
    }
    // An inner end beyond the format's range is the outer end's neighbour beyond the range: nothing is surely valid.
    let (inner_lo, inner_hi) = (lo_in.unwrap_or(f64::INFINITY), hi_in.unwrap_or(f64::NEG_INFINITY));
    if inner_lo == outer_lo && inner_hi == outer_hi {
        let middle = Rational::from(&set.value.lo + &set.value.hi) / 2;
        return Oracle::Decided { lo: outer_lo, hi: outer_hi, expected: nearest(&middle, format) };
    }
    Oracle::Capped { outer: (outer_lo, outer_hi), inner: (inner_lo, inner_hi) }
}

/// The value of a format nearest to a rational number, clamped to the finite ones.
#[must_use]
pub fn nearest(x: &Rational, format: Format) -> f64 {
    match (format.floor_rational(x), format.ceil_rational(x)) {
        (Some(lo), Some(hi)) => {
            let (below, above) = (x - crate::num::float::rational(lo), crate::num::float::rational(hi) - x);
            if below <= above { lo } else { hi }
        }
        (Some(end), None) | (None, Some(end)) => end,
        (None, None) => f64::NAN,
    }
}

/// How specification and mutant compare at one input, both with a value or without.
#[derive(Clone, Debug)]
pub enum Comparison {
    /// Their valid sets are surely disjoint: KO.
    Disjoint {
        /// How far outside the specification's set the mutant's nearest valid value is, in units of the bound
        /// (infinite for a bound of 0).
        margin: f64,
    },
    /// The specification has a value and the mutant surely has none: KO.
    MutantUndefined,
    /// The mutant has a value and the specification surely has none.
    SpecUndefined,
    /// Every valid result of the mutant is valid: OK.
    Inside,
    /// Surely not disjoint, and not inside; or both surely without a value.
    NotKilled,
    /// Not settled at the precision cap.
    Unsettled,
}

impl Comparison {
    /// Whether the mutant surely gets KO.
    #[must_use]
    pub fn is_kill(&self) -> bool {
        matches!(self, Comparison::Disjoint { .. } | Comparison::MutantUndefined | Comparison::SpecUndefined)
    }
}

/// Compare two functions at the input of the ladder. With `settle_inside` the precision is raised until it is known
/// whether a mutant that is not killed is inside; without, as soon as it surely is not killed.
#[must_use]
pub fn compare(ladder: &mut Ladder<'_>, spec: Function<'_>, mutant: Function<'_>, settle_inside: bool) -> Comparison {
    compare_at(ladder.levels(), |k| (ladder.see(spec, k), ladder.see(mutant, k)), mutant.accuracy, settle_inside)
}

/// The same by what each of the steps says of the two.
fn compare_at<S: Borrow<Seen>>(
    levels: usize,
    mut see: impl FnMut(usize) -> (S, Seen),
    of_mutant: &Accuracy,
    settle_inside: bool,
) -> Comparison {
    let mut outcome = Comparison::Unsettled;
    for level in order(levels) {
        let (spec, mutant) = see(level);
        let now = match (spec.borrow(), &mutant) {
            (Seen::Value(s), Seen::Value(m)) => match s.disjoint(m) {
                Ternary::True => Comparison::Disjoint { margin: margin(s, m) },
                Ternary::False => match m.inside(s) {
                    Ternary::True => Comparison::Inside,
                    Ternary::False => Comparison::NotKilled,
                    Ternary::Unknown if !settle_inside => Comparison::NotKilled,
                    Ternary::Unknown => {
                        outcome = Comparison::NotKilled;
                        continue;
                    }
                },
                Ternary::Unknown => continue,
            },
            // A vast value's valid set is vast, and far from any that is not.
            (Seen::Value(s), Seen::Vast { .. })
                if stays_vast(of_mutant) && is_modest(&s.lower.lo) && is_modest(&s.upper.hi) =>
            {
                Comparison::Disjoint { margin: f64::MAX }
            }
            (Seen::Value(_) | Seen::Vast { .. }, Seen::Undefined) => Comparison::MutantUndefined,
            (Seen::Undefined, Seen::Value(_) | Seen::Vast { .. }) => Comparison::SpecUndefined,
            (Seen::Undefined, Seen::Undefined) => Comparison::NotKilled,
            _ => continue,
        };
        return now;
    }
    outcome
}

/// The gap between two disjoint sets in units of the specification's bound, rounded downward.
fn margin(s: &ValidSet, m: &ValidSet) -> f64 {
    let gap = if m.lower.lo > s.upper.hi {
        Rational::from(&m.lower.lo - &s.upper.hi)
    } else {
        Rational::from(&s.lower.lo - &m.upper.hi)
    };
    if s.tolerance.hi == 0 {
        return f64::INFINITY;
    }
    crate::num::float::rational_to_f64(&(gap / &s.tolerance.hi), Round::Down)
}

/// Whether all `conditions` hold at the input of the ladder.
#[must_use]
pub fn all_hold(ladder: &mut Ladder<'_>, conditions: &[NodeId]) -> Ternary {
    let mut known = Ternary::True;
    for &c in conditions {
        let mut one = Ternary::Unknown;
        for level in order(ladder.levels()) {
            one = ladder.truth(c, level);
            if one != Ternary::Unknown {
                break;
            }
        }
        known = known & one;
    }
    known
}

/// The unit roundoff 2^-p of a format: |f| 2^-p < ulp(f).
#[must_use]
pub fn unit_roundoff(format: Format) -> Rational {
    power_of_two(-(format.precision() as i32))
}

/// An enclosure of a node at one precision, for reading.
#[must_use]
pub fn approximate(tape: &Tape, root: NodeId, point: &[f64], precision: u32) -> Option<Float> {
    let inputs: Vec<_> = point.iter().map(|x| MpInterval::from_f64(*x, precision)).collect();
    let mut values = Vec::new();
    evaluate(tape, &mut Multi { inputs: &inputs, precision }, &mut values);
    let v: MpInterval = values.swap_remove(root.index());
    v.def.is_true().then_some(v.lo)
}
