//! What a specification, or a mutant of it, says of one input, and of a result there.

use crate::num::mpfr::Round;
use crate::num::outward::significant;
use crate::num::{Rational, Ternary};
use crate::oracle::formula::Formula;
use crate::oracle::{Function, Ladder, LadderSeen, Oracle, ValidSet, Verdict, all_hold, oracle_at};
use crate::spec::inputs::representable;
use crate::spec::{OutOfRange, Spec};
use crate::tape::{NodeId, Tape};
use crate::text::clip;

/// Digits of f(x) for which a valid set is narrowed.
pub const VALUE_DIGITS: u32 = 30;

/// A specification ready to be evaluated at single inputs.
pub struct Prepared<'a>(Formula<'a>);

/// What it says of one input.
#[derive(Clone, Debug)]
pub struct Look {
    /// Why the input is not in the domain; none if it is, or if that is not settled.
    pub outside: Option<String>,
    /// Whether all conditions beyond the ranges hold.
    pub conditions: Ternary,
    /// The oracle by f alone, as if the input were in the domain.
    pub oracle: Oracle,
    /// The step of the ladder that settled the oracle.
    pub level: usize,
    /// The valid set, narrow enough for the digits that are shown, where that can be reached.
    pub set: Option<ValidSet>,
    /// Of a value of a magnitude beyond every format's, which has no digits to show, whether it is positive.
    pub vast: Option<bool>,
    /// The response that is owed outside the domain.
    pub response: OutOfRange,
}

impl<'a> Prepared<'a> {
    /// Make ready.
    #[must_use]
    pub fn new(spec: &'a Spec) -> Self {
        Prepared(Formula::new(spec))
    }

    /// The tape, f on it, and the conditions beyond the ranges.
    #[must_use]
    pub fn parts(&self) -> (&Tape, NodeId, &[NodeId]) {
        (&self.0.tape, self.0.root, &self.0.conditions)
    }

    /// f with its accuracy.
    #[must_use]
    pub fn function(&self) -> Function<'_> {
        self.0.function()
    }

    /// Look at an input, with `cap` as the last precision in bits.
    #[must_use]
    pub fn look(&self, x: &[f64], cap: u32) -> Look {
        let mut ladder = Ladder::new(&self.0.tape, x, cap);
        let conditions = all_hold(&mut ladder, &self.0.conditions);
        let (oracle, level) = oracle_at(&mut ladder, self.function(), self.0.spec.result_format);
        let set = narrow(&mut ladder, self.function(), level);
        let vast = match ladder.see(self.function(), level) {
            LadderSeen::Vast { positive } => Some(positive),
            _ => None,
        };
        let outside = self.outside(&mut ladder, x);
        let response = match (&outside, &oracle) {
            // Not in the domain, and :pre does not say so: nothing is owed.
            (None, Oracle::Undefined) => OutOfRange::Any,
            _ => self.0.spec.out_of_range,
        };
        Look { outside, conditions, oracle, level, set, vast, response }
    }

    fn outside(&self, ladder: &mut Ladder<'_>, x: &[f64]) -> Option<String> {
        for (input, x) in self.0.spec.inputs.iter().zip(x) {
            if !representable(&input.range, input.format).is_some_and(|r| r.contains(*x)) {
                return Some(format!("{} = {} is not in {}", input.name, input.format.shown(*x), input.range));
            }
        }
        for (text, node) in self.0.spec.constraints.iter().zip(&self.0.conditions) {
            if all_hold(ladder, &[*node]).is_false() {
                return Some(format!("{} does not hold", clip(&text.to_string())));
            }
        }
        None
    }
}

/// The valid set from the first step, from the one that settled the oracle on, that shows enough digits; else from the
/// last step.
fn narrow(ladder: &mut Ladder<'_>, function: Function<'_>, level: usize) -> Option<ValidSet> {
    let mut best = None;
    for level in std::iter::once(level).chain(level.max(1)..ladder.levels()) {
        if let LadderSeen::Value(set) = ladder.see(function, level) {
            let digits = |x: &Rational| significant(x, VALUE_DIGITS, Round::Nearest);
            let enough = digits(&set.value.lo) == digits(&set.value.hi);
            best = Some(set);
            if enough {
                break;
            }
        }
    }
    best
}

/// An input for people: `dp = 0x1.9p+6 (100), T = …`.
#[must_use]
pub fn shown(spec: &Spec, input: &[f64]) -> String {
    let each = spec.inputs.iter().zip(input).map(|(i, x)| format!("{} = {}", i.name, i.format.shown(*x)));
    each.collect::<Vec<_>>().join(", ")
}

/// A result with its verdict.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The result.
    pub y: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, as a part of a sentence.
    pub why: &'static str,
    /// |y - f| in units of the bound and in ulps of f; none without a finite result and a value of f.
    pub error: Option<(f64, f64)>,
}

impl Look {
    /// Whether the input lies outside the domain, where f owes no value.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.outside.is_some() || self.oracle == Oracle::Undefined
    }

    /// The smallest and the largest result that are surely or, at the precision cap, possibly right; none outside of the domain
    /// and where no value of the format is right.
    #[must_use]
    pub fn allowed(&self) -> Option<(f64, f64)> {
        self.oracle.ends().filter(|_| !self.is_outside())
    }

    /// Judges a result.
    #[must_use]
    pub fn judge(&self, spec: &Spec, y: f64) -> Judgement {
        if self.is_outside() {
            let (verdict, why) = match self.response {
                OutOfRange::Reject if !spec.out_of_range_stated => {
                    (Verdict::Ko, "an error is expected outside the domain, which the specification does not ask for")
                }
                OutOfRange::Reject => (Verdict::Ko, "an error is owed here, not a result"),
                OutOfRange::Nan if y.is_nan() => (Verdict::Ok, "NaN is owed here"),
                OutOfRange::Nan => (Verdict::Ko, "NaN is owed here"),
                OutOfRange::Saturate if !y.is_finite() => (Verdict::Ko, "a finite result is owed here"),
                OutOfRange::Saturate => (Verdict::Uncertain, "whether it is returned inside the domain is not checked"),
                OutOfRange::Any => (Verdict::Ok, "nothing is owed here"),
            };
            return Judgement { y, verdict, why, error: None };
        }
        let mut verdict = self.oracle.verdict(y);
        let mut why = match (&self.oracle, verdict) {
            (_, Verdict::Ok) => "within the bound",
            (Oracle::Unsatisfiable, _) => "no result of the format meets the bound",
            (_, Verdict::Ko) if !y.is_finite() => "a finite result is owed here",
            (_, Verdict::Ko) => "not within the bound",
            (_, Verdict::Uncertain) => "not settled at the precision cap",
        };
        if !self.conditions.is_true() {
            (verdict, why) =
                (Verdict::Uncertain, "whether the input is in the domain is not settled at the precision cap");
        }
        let error = self.set.as_ref().filter(|_| y.is_finite()).map(|set| set.error(y, spec.result_format));
        Judgement { y, verdict, why, error }
    }
}
