//! What may be done to all results alike: a factor, an offset, a limit.

use super::{Bench, Hypothesis, Observation};
use crate::harness::Answer;
use crate::num::Rational;
use crate::num::float::rational;
use crate::oracle::{Function, Ladder, LadderSeen};

/// Factors that people forget or apply twice.
const PLAIN: [f64; 14] = [1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0, 12.0, 60.0, 100.0, 1000.0, 3600.0, 1e6, 1e9];
/// Degrees in a radian, and the other way round.
const NAMED: [f64; 4] =
    [180.0 / std::f64::consts::PI, std::f64::consts::PI / 180.0, std::f64::consts::PI, std::f64::consts::TAU];

/// What is both in a range, if there is one yet, and between two numbers; none if nothing is.
fn shared(range: Option<(Rational, Rational)>, a: Rational, b: Rational) -> Option<(Rational, Rational)> {
    let (lo, hi) = match range {
        None => (a, b),
        Some((lo, hi)) => (lo.max(a), hi.min(b)),
    };
    (lo <= hi).then_some((lo, hi))
}

impl Bench<'_> {
    /// The valid set of the specification at an input, as exact bounds.
    fn valid(&self, input: &[f64]) -> Option<(Rational, Rational)> {
        let (tape, roots) = self.tape.extract(&[self.root]);
        let mut ladder = Ladder::new(&tape, input, self.cap);
        match ladder.see(Function { tape: &tape, root: roots[0], accuracy: &self.spec.accuracy }, 1) {
            LadderSeen::Value(set) => Some((set.lower.lo, set.upper.hi)),
            _ => None,
        }
    }

    /// The one factor by which all failing results may be off: a plain one, if there is one that fits.
    pub(super) fn factor(&self, failed: &[&Observation<'_>]) -> Option<Hypothesis> {
        let mut range: Option<(Rational, Rational)> = None;
        let mut count = 0;
        for o in failed {
            let Answer::Value(y) = o.answer else { return None };
            if !y.is_finite() {
                return None;
            }
            let (lo, hi) = self.valid(o.input)?;
            if *y == 0.0 || lo <= 0 && hi >= 0 {
                continue;
            }
            let (a, b) = (rational(*y) / lo, rational(*y) / hi);
            let (a, b) = if a < b { (a, b) } else { (b, a) };
            range = Some(shared(range, a, b)?);
            count += 1;
        }
        let (lo, hi) = range.filter(|_| count >= 2)?;
        let within = |x: &f64| rational(*x) >= lo && rational(*x) <= hi;
        let plain = PLAIN.iter().flat_map(|x| [*x, 1.0 / x, -x, -1.0 / x]).chain(NAMED);
        let middle = ((lo.clone() + &hi) / 2u32).to_f64();
        // A wide range means a wide tolerance, and says nothing.
        let narrow = (hi.clone() - &lo).abs() * 1000u32 < lo.clone().abs();
        plain.into_iter().find(within).or_else(|| narrow.then_some(middle)).map(Hypothesis::Factor)
    }

    pub(super) fn agrees_with_factor(&self, o: &Observation<'_>, factor: f64) -> bool {
        let Answer::Value(y) = o.answer else { return false };
        let Some((lo, hi)) = self.valid(o.input).filter(|_| y.is_finite()) else { return false };
        let (a, b) = (rational(factor) * lo, rational(factor) * hi);
        let y = rational(*y);
        (a <= y && y <= b) || (b <= y && y <= a)
    }

    /// The limit at which all failing results may have been cut off: they are one number, others are not, and larger ones are
    /// owed, or smaller ones.
    pub(super) fn limit(&self, failed: &[&Observation<'_>], others: &[&Observation<'_>]) -> Option<Hypothesis> {
        let [Observation { answer: Answer::Value(limit), .. }, _, ..] = failed else { return None };
        let is_it = |o: &&Observation<'_>| matches!(o.answer, Answer::Value(y) if y == limit);
        if !limit.is_finite() || !failed.iter().all(is_it) || others.iter().all(is_it) {
            return None;
        }
        let exact = rational(*limit);
        let are_all = |is_beyond: &dyn Fn((Rational, Rational)) -> bool| {
            failed.iter().all(|o| self.valid(o.input).is_some_and(is_beyond))
        };
        let found = |is_most| Hypothesis::Limited { limit: *limit, is_most };
        if are_all(&|(lo, _)| lo > exact) {
            return Some(found(true));
        }
        are_all(&|(_, hi)| hi < exact).then(|| found(false))
    }

    /// Whether an answer is what a limited function gives: the limit where a number beyond it is owed, else a valid one.
    pub(super) fn agrees_with_limit(&self, o: &Observation<'_>, limit: f64, is_most: bool) -> bool {
        let Answer::Value(y) = o.answer else { return false };
        let Some((lo, hi)) = self.valid(o.input).filter(|_| y.is_finite()) else { return false };
        let is_beyond = if is_most { *y > limit } else { *y < limit };
        let (exact, result) = (rational(limit), rational(*y));
        let is_cut = *y == limit && if is_most { lo > exact } else { hi < exact };
        !is_beyond && (is_cut || lo <= result && result <= hi)
    }

    /// The one number by which all failing results may be too large: the shortest decimal that fits.
    pub(super) fn offset(&self, failed: &[&Observation<'_>]) -> Option<Hypothesis> {
        let mut range: Option<(Rational, Rational)> = None;
        for o in failed {
            let Answer::Value(y) = o.answer else { return None };
            let (lo, hi) = self.valid(o.input).filter(|_| y.is_finite())?;
            let (a, b) = (rational(*y) - hi, rational(*y) - lo);
            range = Some(shared(range, a, b)?);
        }
        let (lo, hi) = range.filter(|_| failed.len() >= 2)?;
        let middle = ((lo.clone() + &hi) / 2u32).to_f64();
        let within = |x: &f64| rational(*x) >= lo && rational(*x) <= hi;
        // A wide range means a wide tolerance, and says nothing.
        let narrow = (hi.clone() - &lo).abs() * 1000u32 < lo.clone().abs();
        let short = (0..17).filter_map(|digits| format!("{middle:.digits$e}").parse::<f64>().ok());
        narrow.then(|| Hypothesis::Offset(short.into_iter().find(within).unwrap_or(middle)))
    }

    pub(super) fn agrees_with_offset(&self, o: &Observation<'_>, offset: f64) -> bool {
        let Answer::Value(y) = o.answer else { return false };
        let Some((lo, hi)) = self.valid(o.input).filter(|_| y.is_finite()) else { return false };
        let exact = rational(*y) - rational(offset);
        lo <= exact && exact <= hi
    }
}
