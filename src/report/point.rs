//! What a specification, or a mutant of it, says of one input, for people to read.

use super::number::digits;
use crate::csp::look::{Look, VALUE_DIGITS};
use crate::num::mpfr::Round;
use crate::num::outward::significant;
use crate::oracle::{Ladder, Oracle, ValidSet};
use crate::spec::OutOfRange;

/// Digits of the ends of valid sets.
const END_DIGITS: u32 = 20;

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

/// The precision that settled the oracle.
#[must_use]
pub fn precision(look: &Look) -> String {
    match (look.level, &look.oracle) {
        (_, Oracle::Capped { .. } | Oracle::Unsettled) => {
            format!("not settled at {} bits, the cap", Ladder::precision(look.level))
        }
        (0, _) => "exact rational arithmetic".to_owned(),
        (level, _) => format!("{} bits", Ladder::precision(level)),
    }
}

/// What is owed at the input, in a few words.
#[must_use]
pub fn owed(look: &Look) -> String {
    if let Some(why) = &look.outside {
        return format!("{} (outside the domain: {why})", response(look.response));
    }
    match (&look.oracle, &look.set) {
        (Oracle::Undefined, _) => {
            format!("{} (f has no value here, and :pre does not exclude the input)", response(look.response))
        }
        (Oracle::Unsettled, _) if look.vast.is_none() => {
            "not settled: whether f has a value here is open at the precision cap".to_owned()
        }
        (_, Some(set)) => {
            let [lower, upper] = ends(set);
            format!("a result in [{lower}, {upper}]")
        }
        (_, None) => without_digits(look).to_owned(),
    }
}

/// What is known of f(x) where no digits of it are.
#[must_use]
pub fn without_digits(look: &Look) -> &'static str {
    match look.vast {
        Some(true) => "a positive value beyond the numbers of every format",
        Some(false) => "a negative value beyond the numbers of every format",
        None => "not settled: whether there is a value is open",
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
