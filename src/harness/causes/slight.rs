//! Constants that are slightly off: of each constant of the formula the value by which all failures can be explained, if there
//! is one near it.
//!
//! At a few failures the equation f(x, c) = y is solved for c by secants. The tolerance there leaves an interval for c. What
//! all these intervals share holds the constant that was written, and the simplest decimal in it is what a person wrote.

use super::{At, Bench, Observation};
use crate::harness::answer::Answer;
use crate::mutate::loose::{VARIABLE, loose_constants};
use crate::num::Rational;
use crate::num::float::rational;
use crate::num::mpfr::Round;
use crate::num::outward::significant;
use crate::oracle::{Function, Ladder, LadderSeen, ValidSet};
use crate::spec::{Accuracy, Spec, parse_rational};
use crate::tape::lower::lower;
use crate::tape::{Builder, NodeId, Tape};
use crate::text::Span;

/// The most constants that are looked at.
const MOST: usize = 40;
/// The most that a constant is off, relative to itself: beyond that it is another one, not this one mistyped.
const SLIGHT: f64 = 0.1;
/// The failures at which equations are solved: enough to find out that the constant is not the reason.
const SOLVED: usize = 6;
/// The most steps of a solution; secants need about five.
const STEPS: usize = 12;
/// The first step, relative to the constant.
const FIRST: f64 = 1e-3;
/// Significant decimal digits that tell any two binary64 numbers apart.
const DIGITS: u32 = 17;

/// A constant that an implementation may have written otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct SlightlyOff {
    /// Where it is in the source of the specification.
    pub span: Span,
    /// How the specification writes it.
    pub before: String,
    /// What the implementation seems to have.
    pub after: String,
    /// By how much that is larger, relative to the constant's magnitude; below 0 where it is smaller.
    pub relative: f64,
}

/// One with the formula over it.
pub(super) struct Fitted {
    pub(super) constant: SlightlyOff,
    value: f64,
    formula: Loose,
}

/// The formula over the inputs and one constant.
struct Loose {
    tape: Tape,
    root: NodeId,
    accuracy: Accuracy,
    cap: u32,
}

/// The constants that are slightly off if each alone is the reason for the failures.
pub(super) fn fit(spec: &Spec, failed: &[&Observation<'_>], cap: u32) -> Vec<Fitted> {
    let values = |o: &&Observation<'_>| match o.answer {
        Answer::Value(y) if y.is_finite() => Some((o.input.to_vec(), *y)),
        _ => None,
    };
    let Some(all) = failed.iter().map(values).collect::<Option<Vec<_>>>() else { return Vec::new() };
    // One result says nothing: any constant can be made to fit.
    if all.len() < 2 {
        return Vec::new();
    }
    let some: Vec<_> = all.iter().step_by(all.len().div_ceil(SOLVED)).collect();
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).chain([VARIABLE.to_owned()]).collect();
    let fitted = loose_constants(spec, MOST).into_iter().filter_map(|loose| {
        let mut builder = Builder::new(names.len());
        let root = lower(&mut builder, &names, &loose.body);
        let formula = Loose { tape: builder.finish(), root, accuracy: spec.accuracy.clone(), cap };
        let mut shared: Option<(f64, f64)> = None;
        for (input, y) in &some {
            let (lo, hi) = formula.solve(input, *y, loose.value)?;
            shared = Some(shared.map_or((lo, hi), |(a, b)| (a.max(lo), b.min(hi))));
        }
        let (after, value) = simplest(shared?)?;
        let relative = (value - loose.value) / loose.value.abs();
        let constant = SlightlyOff { span: loose.span, before: loose.before, after, relative };
        (relative != 0.0 && relative.abs() <= SLIGHT).then_some(Fitted { constant, value, formula })
    });
    // Where several would do, a person wrote the one of fewer digits.
    let mut fitted: Vec<Fitted> = fitted.collect();
    fitted.sort_by_key(|f| f.constant.after.len());
    fitted
}

impl Loose {
    /// The valid set where the constant has a value.
    fn at(&self, input: &[f64], constant: f64) -> Option<ValidSet> {
        let point: Vec<f64> = input.iter().copied().chain([constant]).collect();
        let mut ladder = Ladder::new(&self.tape, &point, self.cap);
        let function = Function { tape: &self.tape, root: self.root, accuracy: &self.accuracy };
        match ladder.see(function, 1) {
            LadderSeen::Value(set) => Some(set),
            _ => None,
        }
    }

    /// The values of the constant near `first` for which `y` is a valid result, if the formula depends on it there.
    fn solve(&self, input: &[f64], y: f64, first: f64) -> Option<(f64, f64)> {
        let exact = rational(y);
        let off = |c: f64| {
            let set = self.at(input, c)?;
            Some(((set.middle() - &exact).to_f64(), set.tolerance.hi.to_f64()))
        };
        let (mut before, mut now) = (first, first * (1.0 + FIRST));
        let (mut error, (mut next_error, mut tolerance)) = (off(before)?.0, off(now)?);
        for _ in 0..STEPS {
            let slope = (next_error - error) / (now - before);
            let step = next_error / slope;
            if slope == 0.0 || !step.is_finite() {
                return None;
            }
            if next_error.abs() <= 1e-3 * tolerance || (now - step).to_bits() == now.to_bits() {
                let half = (tolerance / slope).abs();
                return Some((now - half, now + half));
            }
            (before, error, now) = (now, next_error, now - step);
            if ((now - first) / first).abs() > 2.0 * SLIGHT {
                return None;
            }
            (next_error, tolerance) = off(now)?;
        }
        None
    }
}

/// The decimal of the fewest digits in an interval, and its value; none if the interval is empty.
fn simplest((lo, hi): (f64, f64)) -> Option<(String, f64)> {
    let (lo, hi) = (Rational::from_f64(lo)?, Rational::from_f64(hi)?);
    let middle = Rational::from(&lo + &hi) / 2;
    (1..=DIGITS).find_map(|count| {
        let text = significant(&middle, count, Round::Nearest);
        let exact = parse_rational(&text).ok().filter(|x| *x >= lo && *x <= hi)?;
        Some((text, exact.to_f64()))
    })
}

impl Bench<'_> {
    /// Whether an observation is what the formula gives with another value of a constant.
    pub(super) fn agrees_with_constant(&self, at: &At<'_>, constant: &SlightlyOff) -> bool {
        let Some(fitted) = self.slight.iter().find(|f| f.constant == *constant) else { return false };
        let o = at.observed;
        if at.is_excluded || !self.domain.ranges.iter().zip(o.input).all(|(r, x)| r.contains(*x)) {
            return self.is_response(o.answer);
        }
        let point: Vec<f64> = o.input.iter().copied().chain([fitted.value]).collect();
        self.accepts(&fitted.formula.tape, fitted.formula.root, &point, o.answer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    /// What is found of results that a formula gives at a few inputs.
    fn found(body: &str, computed: fn(f64) -> f64) -> Vec<(String, String)> {
        let source = format!("(FPCore (x) :pre (<= 1 x 9) :magneto-rel-error 1e-10 {body})");
        let spec = resolve(&parse_file(source.as_bytes()), 0, "f.fpcore", &Overrides::default()).unwrap();
        let answers: Vec<([f64; 1], Answer)> =
            (1..9).map(|k| f64::from(k) + 0.25).map(|x| ([x], Answer::Value(computed(x)))).collect();
        let all: Vec<Observation<'_>> =
            answers.iter().map(|(input, answer)| Observation { input, answer, failed: true }).collect();
        let fitted = fit(&spec, &all.iter().collect::<Vec<_>>(), 480);
        fitted.into_iter().map(|f| (f.constant.before, f.constant.after)).collect()
    }

    #[test]
    fn a_mistyped_constant_is_found_with_what_was_typed() {
        let one = |before: &str, after: &str| vec![(before.to_owned(), after.to_owned())];
        assert_eq!(found("(+ (* 0.0065 x) (exp x))", |x| 0.0056_f64.mul_add(x, 0.0009 * x) + x.exp()), []);
        assert_eq!(found("(+ (* 0.0065 x) (log x))", |x| 0.00651 * x + x.ln()), one("0.0065", "0.00651"));
        assert_eq!(found("(+ (sin x) (* PI x))", |x| x.sin() + 3.1417 * x), one("PI", "3.1417"));
        assert_eq!(found("(pow x 5.25588)", |x| x.powf(5.256)), one("5.25588", "5.256"));
        // Another function, and a constant that is another one.
        assert_eq!(found("(+ (* 0.0065 x) (log x))", |x| 0.0065 * x + x.log2()), []);
        assert_eq!(found("(+ (* 0.0065 x) (log x))", |x| 0.065 * x + x.ln()), []);
    }
}
