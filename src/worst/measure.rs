//! How far results are from the exact values: fast where it does not matter, rigorous where it does.

use crate::floats::Format;
use crate::num::float::rational;
use crate::num::mpfr::{Float, Round};
use crate::num::{Interval, MpInterval, Ternary};
use crate::oracle::formula::Formula;
use crate::oracle::quick::{QuickTolerance, attainable};
use crate::oracle::{Ladder, LadderSeen, Oracle, Verdict, all_hold, oracle};
use crate::points::special::special_points;
use crate::spec::{Accuracy, InputBox, Spec};
use crate::tape::eval::{Boxes, Enclosure};
use crate::tape::evaluate;

/// Measures errors by one specification.
pub struct Measure<'a> {
    formula: Formula<'a>,
    tolerance: QuickTolerance,
    /// One unit in the last place of the result format.
    ulp: QuickTolerance,
    cap: u32,
}

/// Room for the evaluation of one point, to be used again and again.
#[derive(Default)]
pub struct MeasureScratch {
    point: Vec<Interval>,
    values: Vec<Enclosure>,
}

/// What is known of f at an input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// It is in the domain, and f lies between these numbers.
    Value(Interval),
    /// It is in the domain; f is not enclosed by binary64 numbers.
    Unbounded,
    /// It is no input of the domain, or that is not settled.
    Outside,
}

/// The error of one result, found rigorously.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactError {
    /// In units of the tolerance.
    pub tolerances: f64,
    /// In units in the last place of the exact value, in the result format.
    pub ulps: f64,
    /// What a result may be.
    pub oracle: Oracle,
}

/// Errors that differ by less than this share of the larger one of them and the bound are the same to the search.
const CLOSE: f64 = 1e-3;

/// The steps of the ladder before which a sign is given up: beyond, f is 0 as good as always.
const SIGN_LEVELS: usize = 4;

/// Whether bounds of the size of an error, in units of the tolerance, are as near each other as the search needs.
fn is_close(lower: f64, upper: f64) -> bool {
    upper - lower <= CLOSE * lower.max(1.0)
}

impl<'a> Measure<'a> {
    /// Make ready, with `cap` as the last precision of the ladder in bits.
    #[must_use]
    pub fn new(spec: &'a Spec, cap: u32) -> Self {
        let ulp = Accuracy::of_ulps(1.into(), spec.result_format);
        Measure {
            formula: Formula::new(spec),
            tolerance: QuickTolerance::new(&spec.accuracy),
            ulp: QuickTolerance::new(&ulp),
            cap,
        }
    }

    /// The format of results.
    #[must_use]
    pub fn format(&self) -> Format {
        self.formula.spec.result_format
    }

    /// Points beside zeros and kinks of all that the formula computes, and where inputs are related.
    #[must_use]
    pub fn turning_points(&self, domain: &InputBox) -> Vec<Vec<f64>> {
        self.special_points(domain, false)
    }

    /// The special points of which an input is -0; none where a right program may tell it from 0.
    #[must_use]
    pub fn minus_zeros(&self, domain: &InputBox) -> Vec<Vec<f64>> {
        if self.formula.spec.tells_zeros_apart() {
            return Vec::new();
        }
        let is_minus_zero = |x: &f64| *x == 0.0 && x.is_sign_negative();
        let mut all = self.special_points(domain, true);
        all.retain(|input| input.iter().any(is_minus_zero));
        all
    }

    fn special_points(&self, domain: &InputBox, has_minus_zero: bool) -> Vec<Vec<f64>> {
        let names: Vec<String> = self.formula.spec.inputs.iter().map(|i| i.name.clone()).collect();
        let found = special_points(&self.formula.tape, self.formula.root, domain, &names, has_minus_zero);
        found.into_iter().map(|s| s.input).collect()
    }

    /// What is known of f at an input that lies in the ranges. `scratch` is used again and again.
    pub fn known(&self, input: &[f64], scratch: &mut MeasureScratch) -> Known {
        let MeasureScratch { point, values: scratch } = scratch;
        point.clear();
        point.extend(input.iter().map(|x| Interval::point(*x)));
        evaluate(&self.formula.tape, &mut Boxes { inputs: point }, scratch);
        let held = self.formula.conditions.iter().fold(Ternary::True, |all, c| {
            let seen = &scratch[c.index()];
            all & if seen.def.is_true() { seen.as_truth() } else { seen.def & Ternary::Unknown }
        });
        let f = &scratch[self.formula.root.index()];
        if held.is_false() || f.def.is_false() {
            return Known::Outside;
        }
        if held.is_true() && f.def.is_true() {
            // Of fixed-point numbers the least is farther from 0 than the largest; what is owed there is seen exactly.
            let beyond = !self.format().is_fixed() && f.x.mig() > self.format().max();
            return match f.x.is_bounded() {
                true if !beyond => Known::Value(f.x),
                true => Known::Outside,
                false => Known::Unbounded,
            };
        }
        let mut ladder = Ladder::new(&self.formula.tape, input, self.cap);
        let inside = all_hold(&mut ladder, &self.formula.conditions).is_true();
        let value = |k| matches!(ladder.see(self.formula.function(), k), LadderSeen::Value(_));
        if inside && (1..levels(self.cap)).any(value) { Known::Unbounded } else { Known::Outside }
    }

    /// Whether f is above 0 at an input that lies in the ranges; none where it is 0, nothing is known of it, or some hundred
    /// bits do not tell.
    pub(super) fn sign(&self, input: &[f64], scratch: &mut MeasureScratch) -> Option<bool> {
        let known = self.known(input, scratch);
        let of = |low_above: bool, high_below: bool| (low_above || high_below).then_some(low_above);
        let seen = match known {
            Known::Outside => return None,
            Known::Value(f) => of(f.inf() > 0.0, f.sup() < 0.0),
            Known::Unbounded => None,
        };
        seen.or_else(|| {
            let mut ladder = Ladder::new(&self.formula.tape, input, self.cap);
            let last = ladder.levels().min(SIGN_LEVELS);
            (1..last).find_map(|k| ladder.enclosure(self.formula.root, k).and_then(|f| of(f.lo > 0, f.hi < 0)))
        })
    }

    /// Whether a result, finite or not, is outside the bound, found rigorously.
    pub(super) fn is_wrong(&self, input: &[f64], y: f64) -> bool {
        self.exact(input, y).is_some_and(|e| e.oracle.verdict(y) == Verdict::Ko)
    }

    /// The error of a finite result in units of the tolerance, below 0 where the result is too small; near enough for a
    /// search that cares only for magnitudes of more than `best`: what surely is not more may be too small. None where
    /// nothing can be said, or no finite result is owed.
    #[must_use]
    pub fn signed(&self, input: &[f64], known: Known, y: f64, best: f64) -> Option<f64> {
        let Known::Value(f) = known else { return self.exact_ratio(input, y) };
        let (least, most) = self.tolerance.bounds(f);
        let distance = (Interval::point(y) - f).abs();
        let (lower, upper) = (distance.inf() / most, distance.sup() / least);
        if upper <= best || is_close(lower, upper) {
            let error = lower + (upper - lower) / 2.0;
            let signed = if y < f.sup() { -error } else { error };
            return (!error.is_nan() && self.counts((input, y), f, signed)).then_some(signed);
        }
        self.exact_ratio(input, y)
    }

    /// Rigorous bounds of the error of a finite result where f lies in an interval: in units of the tolerance, and from
    /// above in units in the last place.
    #[must_use]
    pub fn bounds(&self, f: Interval, y: f64) -> ((f64, f64), f64) {
        let distance = (Interval::point(y) - f).abs();
        let above = |least: f64| if least > 0.0 { (distance.sup() / least).next_up() } else { f64::INFINITY };
        let (least, most) = self.tolerance.bounds(f);
        let below = if most.is_finite() { (distance.inf() / most).next_down().max(0.0) } else { 0.0 };
        ((below, above(least)), above(self.ulp.bounds(f).0))
    }

    /// Whether a result is surely owed where f lies in an interval: some number of the format is within the tolerance.
    #[must_use]
    pub fn is_owed(&self, f: Interval) -> bool {
        attainable(f, &self.tolerance, self.format())
    }

    /// Whether an error at an input with f in an interval is one: where none of the format's numbers is within the
    /// tolerance, no result is owed.
    fn counts(&self, (input, y): (&[f64], f64), f: Interval, error: f64) -> bool {
        error.abs() <= 1.0 || self.is_owed(f) || self.exact(input, y).is_some()
    }

    /// The error in units of the tolerance with its sign, by the first precision that shows it to a few digits.
    fn exact_ratio(&self, input: &[f64], y: f64) -> Option<f64> {
        let mut ladder = Ladder::new(&self.formula.tape, input, self.cap);
        for level in 1..ladder.levels() {
            // Exact fractions cost more than the enclosure itself.
            if let Some((f, (lower, upper))) = ladder.enclosure(self.formula.root, level).and_then(|f| self.ratio(f, y))
                && is_close(lower.abs().min(upper.abs()), lower.abs().max(upper.abs()))
            {
                let error = lower + (upper - lower) / 2.0;
                return self.counts((input, y), f, error).then_some(error);
            }
            if let LadderSeen::Value(set) = ladder.see(self.formula.function(), level) {
                let width = (set.value.hi.clone() - &set.value.lo) * (1u32 << 20);
                if width <= set.tolerance.lo || level + 1 == ladder.levels() {
                    let size = set.error(y, self.format()).0;
                    let error = if rational(y) < set.middle() { -size } else { size };
                    return self.counts((input, y), Interval::ENTIRE, error).then_some(error);
                }
            }
        }
        None
    }

    /// Where binary64 can hold them: f, and bounds of the error in units of the tolerance with its sign, up to rounding.
    fn ratio(&self, f: &MpInterval, y: f64) -> Option<(Interval, (f64, f64))> {
        let from = Float::with_val_round(53, &f.lo - y, Round::Down).0.to_f64();
        let to = Float::with_val_round(53, &f.hi - y, Round::Up).0.to_f64();
        let hull = Interval::new(f.lo.to_f64_round(Round::Down), f.hi.to_f64_round(Round::Up));
        let (least, most) = self.tolerance.bounds(hull);
        let (near, far) = (from.abs().min(to.abs()), from.abs().max(to.abs()));
        // A subnormal distance has too few digits.
        let plain = (from > 0.0) == (to > 0.0) && near >= f64::MIN_POSITIVE && far.is_finite();
        let bounds = |near: f64, far: f64| if from > 0.0 { (-far, -near) } else { (near, far) };
        (plain && least >= f64::MIN_POSITIVE && most.is_finite()).then(|| (hull, bounds(near / most, far / least)))
    }

    /// The error of a finite result and the oracle; `None` where the input is none of the domain, or no result of the
    /// format is owed.
    #[must_use]
    pub fn exact(&self, input: &[f64], y: f64) -> Option<ExactError> {
        let mut ladder = Ladder::new(&self.formula.tape, input, self.cap);
        let found = oracle(&mut ladder, self.formula.function(), self.format());
        let (tolerances, ulps) =
            (1..ladder.levels()).rev().find_map(|level| match ladder.see(self.formula.function(), level) {
                LadderSeen::Value(set) => Some(set.error(y, self.format())),
                _ => None,
            })?;
        match found {
            Oracle::Decided { .. } | Oracle::Capped { .. } => Some(ExactError { tolerances, ulps, oracle: found }),
            Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => None,
        }
    }
}

/// The number of steps of a ladder, see [`Ladder::levels`].
fn levels(cap: u32) -> usize {
    (0..).take_while(|k| crate::oracle::FIRST_PRECISION << k <= cap).count() + 1
}
