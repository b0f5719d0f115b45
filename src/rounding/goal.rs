//! What is to be bounded: the error itself, relative to the exact value, or in units of a specification's tolerance.

use super::backward::Sums;
use super::fact::share_of;
use super::units::bits;
use crate::floats::Format;
use crate::num::Interval;
use crate::num::directed::{add_up, div_up, mul_up};
use crate::num::float::{exponent, power, rational_to_f64};
use crate::num::mpfr::Round;
use crate::program::{Node, Program, Step};
use crate::spec::Accuracy;

const INF: f64 = f64::INFINITY;

/// What is to be bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal<'a> {
    /// |computed - exact|.
    Absolute,
    /// |computed - exact| / |exact|: a bound b says that the error is at most b |exact|, also where that is 0.
    Relative,
    /// |computed - exact| in units of the tolerance: at most 1 means that the accuracy is met.
    Tolerance(&'a Accuracy),
}

impl Goal<'_> {
    /// The tolerance if it is relative alone, rounded down.
    pub(super) fn relative_alone(self) -> Option<f64> {
        let Goal::Tolerance(a) = self else { return None };
        let is_none = |part: Option<&crate::num::Rational>| part.is_none_or(|x| *x == 0);
        let alone = is_none(a.abs.as_ref()) && is_none(a.ulps.as_ref().map(|(n, _)| n));
        let r = a.rel.as_ref().filter(|_| alone).map(|r| rational_to_f64(r, Round::Down))?;
        (r > 0.0).then_some(r)
    }
}

/// How the last step rounds, for errors in units in the last place of the exact value.
#[derive(Clone, Copy, Debug)]
enum Last {
    /// To nearest in this format.
    Nearest(Format),
    /// Within so many units in the last place in this format.
    Library(Format, f64),
    /// In some other way.
    Other,
}

/// A goal with its numbers at hand, rounded to the safe side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    kind: Unit,
    last: Last,
}

#[derive(Clone, Copy, Debug)]
enum Unit {
    Absolute,
    Relative,
    /// Relative and absolute tolerance, and so many units in the last place of a format; 0 for none.
    Tolerance(f64, f64, (f64, Format)),
}

impl Measure {
    pub(super) fn new(goal: Goal<'_>, program: &Program, ulps: f64) -> Self {
        let down = |r: &Option<crate::num::Rational>| r.as_ref().map_or(0.0, |r| rational_to_f64(r, Round::Down));
        let kind = match goal {
            Goal::Absolute => Unit::Absolute,
            Goal::Relative => Unit::Relative,
            Goal::Tolerance(a) => {
                let none = (0.0, Format::BINARY64);
                let ulps = a.ulps.as_ref().map_or(none, |(n, f)| (rational_to_f64(n, Round::Down), *f));
                Unit::Tolerance(down(&a.rel), down(&a.abs), ulps)
            }
        };
        Measure { kind, last: Last::of(program, ulps) }
    }

    /// The bound in the goal's unit, from the sums and the exact values on a box.
    pub(super) fn of(&self, sums: &Sums, exact: Interval) -> f64 {
        let absolute = sums.absolute.min(share_of(sums.relative, exact));
        let over = |error: f64, size: f64| {
            if error == 0.0 {
                0.0
            } else if size > 0.0 {
                div_up(error, size)
            } else {
                INF
            }
        };
        let relative = sums.relative.min(over(absolute, exact.mig()));
        match self.kind {
            Unit::Absolute => absolute,
            Unit::Relative => relative,
            Unit::Tolerance(r, a, ulps) => {
                let by_ulps = if ulps.0 > 0.0 { self.in_ulps(sums, absolute, relative, exact, ulps) } else { INF };
                over(relative, r).min(over(absolute, a)).min(by_ulps)
            }
        }
    }

    /// The error in units of n units in the last place of the exact value.
    fn in_ulps(&self, sums: &Sums, absolute: f64, relative: f64, exact: Interval, (n, format): (f64, Format)) -> f64 {
        let mig = exact.mig();
        let e = if mig > 0.0 { exponent(mig) } else { format.emin() };
        let unit = power(format.ulp_exponent(e));
        // A unit is more than 2^-p of the value.
        let units = |absolute: f64, relative: f64| div_up(absolute, unit).min(mul_up(relative, power(bits(format))));
        let whole = units(absolute, relative);
        let before = units(sums.before_last, sums.relative_before_last);
        let better = match self.last {
            // With z the exact result of the last step, the nearest value to it is within half a unit of f, or, where z
            // is beyond the next power of two, no further from z than that power, which is no further than f.
            Last::Nearest(s) if s == format => add_up(before, before.max(0.5)),
            Last::Library(s, ulps) if s == format && before == 0.0 => ulps,
            _ => INF,
        };
        div_up(whole.min(better), n)
    }
}

impl Last {
    fn of(program: &Program, ulps: f64) -> Self {
        let Node { step, format } = program.node(program.result());
        match step {
            Step::Op(op, _) if ulps > 0.5 && op.range(*format).is_some() => Last::Library(*format, ulps),
            Step::Op(..) | Step::Convert(_) | Step::Input(_) => Last::Nearest(*format),
            _ => Last::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of 10 units in all, and of some before the last step, at exact values from 1 to 2.
    #[test]
    fn what_the_last_step_adds_counts_where_its_units_are_those_of_the_goal() {
        let (unit, exact) = (f64::EPSILON, Interval::new(1.0, 2.0));
        let units = |last: Last, before: f64| {
            let sums =
                Sums { absolute: 10.0 * unit, relative: INF, before_last: before * unit, relative_before_last: INF };
            let measure = Measure { kind: Unit::Tolerance(0.0, 0.0, (1.0, Format::BINARY64)), last };
            measure.of(&sums, exact)
        };
        let (own, other) = (Format::BINARY64, Format::BINARY32);
        assert_eq!([0.0, 0.25, 3.0].map(|before| units(Last::Nearest(own), before)), [0.5, 0.75, 6.0]);
        assert_eq!([0.0, 0.25].map(|before| units(Last::Library(own, 2.0), before)), [2.0, 10.0]);
        let others = [Last::Nearest(other), Last::Library(other, 2.0), Last::Other];
        assert_eq!(others.map(|last| [0.0, 0.25].map(|before| units(last, before))), [[10.0; 2]; 3]);
    }
}
