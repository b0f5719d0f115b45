//! Rounding to the nearest number of a format, by its definition over rational numbers.

use super::super::format::{largest, parameters, rounded, two_to};
use super::{Evaluator, Num, Tri};
use magneto::floats::Format;
use magneto::num::mpfr::{Float, Rational};
use magneto::ops::Op;

/// The format that an operator rounds to, by its name.
pub(in super::super) fn target(op: Op) -> Option<Format> {
    match op.name() {
        "binary64" => Some(Format::BINARY64),
        "binary32" => Some(Format::BINARY32),
        "binary16" => Some(Format::BINARY16),
        "bfloat16" => Some(Format::BFLOAT16),
        _ => None,
    }
}

/// The nearest number, if that is no overflow.
pub(super) fn finite(q: &Rational, format: Format) -> Option<Rational> {
    Some(rounded(q, format)).filter(|y| y.clone().abs() <= largest(format))
}

impl Evaluator {
    pub(super) fn nearest(&self, x: &Num, format: Format) -> Num {
        // Beyond these an end need not be known better.
        let far = two_to(parameters(format).2 + 2);
        let end = |end: &Float| match end.to_rational() {
            Some(q) => q.clamp(&-far.clone(), &far),
            None if *end < 0 => -far.clone(),
            None => far.clone(),
        };
        let [lo, hi] = [&x.lo, &x.hi].map(|e| rounded(&end(e), format));
        let most = largest(format);
        let fits = |y: &Rational| y.clone().abs() <= most;
        let none = lo > most || hi < -most.clone();
        let defined = Tri::of(fits(&lo) && fits(&hi), none);
        if none {
            return self.nothing();
        }
        let of = |y: Rational| Float::with_val(self.bits.max(64), y.clamp(&-most.clone(), &most));
        self.between(of(lo), of(hi), defined)
    }
}
