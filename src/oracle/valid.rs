//! The valid set of a function at one input, enclosed from both sides.

use crate::floats::Format;
use crate::num::float::rational;
use crate::num::{Rational, Ternary};
use crate::spec::Accuracy;

/// An enclosure of a real number from both sides, exact where `lo == hi`.
#[derive(Clone, Debug)]
pub struct Ends {
    /// At most the number.
    pub lo: Rational,
    /// At least the number.
    pub hi: Rational,
}

impl Ends {
    pub(super) fn exact(x: Rational) -> Self {
        Ends { lo: x.clone(), hi: x }
    }

    /// Whether the number is known exactly.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.lo == self.hi
    }
}

/// The valid set V = [f - t, f + t] of a function at one input, as far as a precision shows it.
#[derive(Clone, Debug)]
pub struct ValidSet {
    /// The function's value.
    pub value: Ends,
    /// The tolerance.
    pub tolerance: Ends,
    /// The lower end of the set.
    pub lower: Ends,
    /// The upper end of the set.
    pub upper: Ends,
    /// Whether all of the set is known to be numbers that are not 0 and smaller than those of every format, although its
    /// ends do not show it: they are 0 and a bound of what is tiny.
    pub beyond_formats: bool,
}

impl ValidSet {
    pub(super) fn new(value: Ends, accuracy: &Accuracy) -> Self {
        let tolerance = tolerance(&value, accuracy);
        let lower =
            Ends { lo: Rational::from(&value.lo - &tolerance.hi), hi: Rational::from(&value.hi - &tolerance.lo) };
        let upper =
            Ends { lo: Rational::from(&value.lo + &tolerance.lo), hi: Rational::from(&value.hi + &tolerance.hi) };
        ValidSet { value, tolerance, lower, upper, beyond_formats: false }
    }

    /// The middle of what is known of the function's value.
    #[must_use]
    pub fn middle(&self) -> Rational {
        Rational::from(&self.value.lo + &self.value.hi) / 2
    }

    /// How far a finite result is from the function's value: in units of the tolerance, and in ulps of `format` (where
    /// both the distance and the unit are 0, 0).
    #[must_use]
    pub fn error(&self, y: f64, format: Format) -> (f64, f64) {
        let f = self.middle();
        let distance = (rational(y) - &f).abs();
        let share = |unit: &Rational| match (distance == 0, *unit == 0) {
            (true, _) => 0.0,
            (false, true) => f64::INFINITY,
            _ => Rational::from(&distance / unit).to_f64(),
        };
        (share(&self.tolerance.hi), share(&format.ulp(&f)))
    }

    /// Whether the two sets have no number in common: surely so, surely not so, or not settled.
    #[must_use]
    pub fn disjoint(&self, other: &Self) -> Ternary {
        let before = |a: &Self, b: &Self| a.upper.hi < b.lower.lo;
        let reaches = |a: &Self, b: &Self| a.upper.lo >= b.lower.hi;
        Ternary::decide(before(self, other) || before(other, self), reaches(self, other) && reaches(other, self))
    }

    /// Whether every number of `self` is in `other`.
    #[must_use]
    pub fn inside(&self, other: &Self) -> Ternary {
        Ternary::decide(
            other.lower.hi <= self.lower.lo && self.upper.hi <= other.upper.lo,
            self.lower.hi < other.lower.lo || self.upper.lo > other.upper.hi,
        )
    }
}

/// The largest of the tolerances asked for at a value of the function, enclosed.
#[must_use]
pub fn tolerance(value: &Ends, accuracy: &Accuracy) -> Ends {
    let (mig, mag) = magnitudes(value);
    let mut t = Ends::exact(Rational::new());
    let mut at_least = |lo: Rational, hi: Rational| {
        if lo > t.lo {
            t.lo = lo;
        }
        if hi > t.hi {
            t.hi = hi;
        }
    };
    if let Some(r) = &accuracy.rel {
        at_least(Rational::from(r * &mig), Rational::from(r * &mag));
    }
    if let Some(a) = &accuracy.abs {
        at_least(a.clone(), a.clone());
    }
    if let Some((n, format)) = &accuracy.ulps {
        at_least(n * format.ulp(&mig), n * format.ulp(&mag));
    }
    t
}

/// The smallest and the largest absolute value.
fn magnitudes(x: &Ends) -> (Rational, Rational) {
    let (a, b) = (x.lo.clone().abs(), x.hi.clone().abs());
    let straddles = x.lo <= 0 && x.hi >= 0;
    let mag = if a > b { a.clone() } else { b.clone() };
    let mig = if straddles {
        Rational::new()
    } else if a > b {
        b
    } else {
        a
    };
    (mig, mag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    #[test]
    fn a_number_is_exact_where_its_ends_are_one() {
        let (one, third) = (Rational::from(1), Rational::from((1, 3)));
        let of = |lo: &Rational, hi: &Rational| Ends { lo: lo.clone(), hi: hi.clone() };
        let is_exact = [of(&third, &third), of(&third, &one), Ends::exact(one)].map(|ends| ends.is_exact());
        assert_eq!(is_exact, [true, false, true]);
    }

    #[test]
    fn sets_that_meet_at_some_of_their_ends_alone_are_not_settled() {
        let of = |lo: i32, hi: i32| Ends { lo: Rational::from(lo), hi: Rational::from(hi) };
        let set = |lower: Ends, upper: Ends| ValidSet {
            value: of(0, 0),
            tolerance: of(0, 0),
            lower,
            upper,
            beyond_formats: false,
        };
        let (above, below, far) = (set(of(4, 6), of(9, 9)), set(of(0, 0), of(4, 6)), set(of(7, 7), of(9, 9)));
        for (a, b, expected) in [
            (&above, &below, Ternary::Unknown),
            (&far, &below, Ternary::True),
            (&above, &far, Ternary::False),
            (&above, &above, Ternary::False),
        ] {
            assert_eq!((a.disjoint(b), b.disjoint(a)), (expected, expected), "{a:?} {b:?}");
        }
    }

    #[test]
    fn errors_are_distances_from_the_value_in_tolerances_and_ulps() {
        let text = "(FPCore (x) :pre (<= 1 x 2) :magneto-abs-error 1/4 x)";
        let spec =
            resolve(&parse_file(text.as_bytes()), 0, "t.fpcore", &Overrides::default()).expect("a specification");
        let ulp = 2.0f64.powi(-52);
        let set = ValidSet::new(Ends::exact(Rational::from((3, 2))), &spec.accuracy);
        for (y, tolerances) in [(1.5, 0.0), (2.0, 2.0), (1.0, 2.0), (-1.5, 12.0), (1.5 + ulp, 4.0 * ulp)] {
            assert_eq!(set.error(y, Format::BINARY64), (tolerances, tolerances / 4.0 / ulp), "{y}");
        }
        let exact = ValidSet { tolerance: Ends::exact(Rational::new()), ..set };
        assert_eq!(exact.error(1.5, Format::BINARY64).0, 0.0);
        assert_eq!(exact.error(2.0, Format::BINARY64).0, f64::INFINITY);
    }
}
