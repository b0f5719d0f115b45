//! What a specification, or a mutant of it, says of one input, for people to read.

use super::number::digits;
use crate::csp::domain::representable;
use crate::num::Ternary;
use crate::num::mpfr::Round;
use crate::num::outward::significant;
use crate::oracle::formula::Formula;
use crate::oracle::{Function, Ladder, Oracle, Seen, ValidSet, all_hold, oracle_at};
use crate::spec::{OutOfRange, Spec};
use crate::tape::{NodeId, Tape};

/// Digits of values.
pub const VALUE_DIGITS: u32 = 30;
/// Digits of the ends of valid sets.
pub const END_DIGITS: u32 = 20;

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
        let outside = self.outside(&mut ladder, x);
        let response = match (&outside, &oracle) {
            // Not in the domain, and :pre does not say so: nothing is owed.
            (None, Oracle::Undefined) => OutOfRange::Any,
            _ => self.0.spec.out_of_range,
        };
        Look { outside, conditions, oracle, level, set, response }
    }

    fn outside(&self, ladder: &mut Ladder<'_>, x: &[f64]) -> Option<String> {
        for (input, x) in self.0.spec.inputs.iter().zip(x) {
            if !representable(&input.range, input.format).is_some_and(|r| r.contains(*x)) {
                return Some(format!("{} = {} is not in {}", input.name, super::number::both(*x), input.range));
            }
        }
        for (text, node) in self.0.spec.constraints.iter().zip(&self.0.conditions) {
            if all_hold(ladder, &[*node]).is_false() {
                return Some(format!("{} does not hold", super::text::clip(&text.to_string())));
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
        if let Seen::Value(set) = ladder.see(function, level) {
            let enough = digits(&set.value.lo, VALUE_DIGITS) == digits(&set.value.hi, VALUE_DIGITS);
            best = Some(set);
            if enough {
                break;
            }
        }
    }
    best
}

/// f(x) in digits, or its enclosure where that shows fewer.
#[must_use]
pub fn value(set: &ValidSet) -> String {
    let (lo, hi) = (digits(&set.value.lo, VALUE_DIGITS), digits(&set.value.hi, VALUE_DIGITS));
    if lo == hi {
        return lo;
    }
    let ends = [(&set.value.lo, Round::Down), (&set.value.hi, Round::Up)];
    let [lo, hi] = ends.map(|(x, round)| significant(x, VALUE_DIGITS, round));
    format!("between {lo} and {hi}")
}

/// `[lower, upper]` in digits, outer ends, rounded outward.
#[must_use]
pub fn ends(set: &ValidSet) -> [String; 2] {
    [(&set.lower.lo, Round::Down), (&set.upper.hi, Round::Up)].map(|(x, round)| significant(x, END_DIGITS, round))
}

impl Look {
    /// The precision that settled the oracle.
    #[must_use]
    pub fn precision(&self) -> String {
        match (self.level, &self.oracle) {
            (_, Oracle::Capped { .. } | Oracle::Unsettled) => {
                format!("not settled at {} bits, the cap", Ladder::precision(self.level))
            }
            (0, _) => "exact rational arithmetic".to_owned(),
            (level, _) => format!("{} bits", Ladder::precision(level)),
        }
    }

    /// What is owed at the input, in a few words.
    #[must_use]
    pub fn owed(&self) -> String {
        if let Some(why) = &self.outside {
            return format!("{} (outside the domain: {why})", response(self.response));
        }
        match (&self.oracle, &self.set) {
            (Oracle::Undefined, _) => {
                format!("{} (f has no value here, and :pre does not exclude the input)", response(self.response))
            }
            (Oracle::Unsettled, _) => "not settled: whether f has a value here is open at the precision cap".to_owned(),
            (_, Some(set)) => {
                let [lower, upper] = ends(set);
                format!("a result in [{lower}, {upper}]")
            }
            (_, None) => "not settled".to_owned(),
        }
    }
}

/// What an implementation owes outside the domain.
#[must_use]
pub fn response(r: OutOfRange) -> &'static str {
    match r {
        OutOfRange::Reject => "an error (reject)",
        OutOfRange::Nan => "NaN",
        OutOfRange::Saturate => "a value that it also returns inside the domain (saturate)",
        OutOfRange::Any => "nothing (any)",
    }
}
