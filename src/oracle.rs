//! What a specification says of one exact input: the precision ladder, the oracle, and verdicts on results and mutants.

mod compare;
mod constant;
pub mod formula;
mod ladder;
pub mod quick;
mod refine;
pub mod shared;
mod twins;
mod valid;

pub use compare::{Comparison, compare};
pub use constant::accepted_by_all;
pub use ladder::{DEFAULT_CAP, FIRST_PRECISION, Function, Ladder, LadderSeen, all_hold};
pub use valid::{Ends, ValidSet, tolerance};

use self::ladder::stays_vast;
use crate::floats::Format;
use crate::num::float::power_of_two;
use crate::num::mpfr::Float;
use crate::num::{MpInterval, Rational};
use crate::tape::eval::Multi;
use crate::tape::{NodeId, Tape, evaluate};

/// The oracle of one input.
#[derive(Clone, Debug, PartialEq)]
pub enum Oracle {
    /// A result `y` is OK if `lo <= y <= hi`, otherwise KO.
    Decided {
        /// The smallest valid value of the result format.
        lo: f64,
        /// The largest valid value of the result format.
        hi: f64,
        /// The value of the format nearest to f(x), for reading; where two are as near as the precision cap can tell,
        /// one of them.
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
    /// The smallest and the largest result that are surely or, at the precision cap, possibly right; none where no value of the
    /// format is, or that is not settled.
    #[must_use]
    pub fn ends(&self) -> Option<(f64, f64)> {
        match self {
            Oracle::Decided { lo, hi, .. } => Some((*lo, *hi)),
            Oracle::Capped { outer, .. } => Some(*outer),
            Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled => None,
        }
    }

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
    let mut best = Oracle::Unsettled;
    let settled = ladder.first(|ladder, level| match ladder.see(function, level) {
        LadderSeen::Undefined => Some((Oracle::Undefined, level)),
        LadderSeen::Vast { .. } if stays_vast(function.accuracy) => Some((Oracle::Unsatisfiable, level)),
        LadderSeen::Unsettled | LadderSeen::Vast { .. } => None,
        LadderSeen::Value(set) => match round_inward(&set, format) {
            decided @ Oracle::Decided { .. } if has_nearest(&set, format) => Some((decided, level)),
            Oracle::Unsatisfiable => Some((Oracle::Unsatisfiable, level)),
            open => {
                best = open;
                None
            }
        },
    });
    settled.unwrap_or_else(|| (best, ladder.levels() - 1))
}

/// The valid values of the format.
fn round_inward(set: &ValidSet, format: Format) -> Oracle {
    if set.beyond_formats {
        return Oracle::Unsatisfiable;
    }
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

/// Whether one value of the format is the nearest to all that f may be.
fn has_nearest(set: &ValidSet, format: Format) -> bool {
    nearest(&set.value.lo, format) == nearest(&set.value.hi, format)
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

#[cfg(test)]
mod tests {
    use super::formula::Formula;
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    #[test]
    fn the_expected_result_is_nearest_to_f_however_large_the_tolerance() {
        // The last one's value is 0 exactly, which no enclosure shows.
        let cases = [
            ("(- 1 (erf x))", 1000.0, 0.0),
            ("(- (exp x) 1)", 1e-20, 1e-20),
            ("(- 1 (cos x))", power_of_two(-300).to_f64(), power_of_two(-601).to_f64()),
            ("(* 2 (* (sin (* PI x)) (cos (* PI x))))", 10.0, 0.0),
        ];
        for (body, x, nearest) in cases {
            let text = format!("(FPCore (x) :precision binary64 :magneto-abs-error 1e-10 {body})");
            let spec = resolve(&parse_file(text.as_bytes()), 0, "", &Overrides::default()).unwrap();
            let formula = Formula::new(&spec);
            let input = [x];
            let mut ladder = Ladder::new(&formula.tape, &input, DEFAULT_CAP);
            let Oracle::Decided { lo, hi, expected } = oracle(&mut ladder, formula.function(), Format::BINARY64) else {
                panic!("{body} is not settled");
            };
            assert!(lo < -9e-11 && hi > 9e-11, "{body}: f is far below the tolerance");
            assert_eq!(expected, nearest, "{body}");
        }
    }

    #[test]
    fn results_are_decided_where_both_ends_of_the_valid_set_are_known() {
        let one = |x: f64| Rational::from_f64(x).unwrap();
        let ends = |(lo, hi): (f64, f64)| Ends { lo: one(lo), hi: one(hi) };
        let judged = |lower, upper| {
            let value = ends((lower, upper));
            let (lower, upper) = (ends((lower, lower)), ends((upper, upper)));
            let tolerance = ends((0.0, 0.0));
            round_inward(&ValidSet { value, tolerance, lower, upper, beyond_formats: false }, Format::BINARY32)
        };
        let tiny = f64::from(f32::EPSILON);
        // One float is valid; none between two of them is; and three are.
        assert_eq!(judged(1.0, 1.0), Oracle::Decided { lo: 1.0, hi: 1.0, expected: 1.0 });
        assert_eq!(judged(1.0 + tiny / 4.0, 1.0 + tiny / 2.0), Oracle::Unsatisfiable);
        let (lo, hi) = (1.0, 1.0 + 2.0 * tiny);
        assert_eq!(judged(lo, hi), Oracle::Decided { lo, hi, expected: 1.0 + tiny });
    }
}
