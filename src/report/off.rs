//! How far a result is off, in one unit: that of the accuracy.

use super::number::{digits, rough};
use crate::num::Rational;
use crate::spec::Accuracy;
use crate::spec::parse_rational;

/// The fewest significant digits of an error.
const FEWEST: u32 = 3;
/// The most, however near to the bound it is.
const MOST: u32 = 17;

/// The unit in which errors are told.
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorUnit {
    /// The accuracy is one bound: so much of a unit, and the name of that unit.
    Own(Rational, &'static str),
    /// The accuracy is the largest of several bounds, or is not known here: an error is a multiple of it.
    Bound,
}

impl ErrorUnit {
    /// The one of an accuracy.
    #[must_use]
    pub fn of(accuracy: &Accuracy) -> Self {
        match (&accuracy.rel, &accuracy.abs, &accuracy.ulps) {
            (Some(rel), None, None) => ErrorUnit::Own(rel.clone(), "relative"),
            (None, Some(abs), None) => ErrorUnit::Own(abs.clone(), "absolute"),
            (None, None, Some((ulps, _))) => ErrorUnit::Own(ulps.clone(), "ulps"),
            _ => ErrorUnit::Bound,
        }
    }

    /// The one of an accuracy in words, as documents have it: `relative 1e-9`, `4 ulps of binary64`.
    #[must_use]
    pub fn read(accuracy: &str) -> Self {
        let own = |text: &str, name| parse_rational(text).ok().map(|unit| ErrorUnit::Own(unit, name));
        let words: Vec<&str> = accuracy.split(' ').collect();
        let found = match words[..] {
            ["relative", unit] => own(unit, "relative"),
            ["absolute", unit] => own(unit, "absolute"),
            [unit, "ulps", "of", _] => own(unit, "ulps"),
            _ => None,
        };
        found.unwrap_or(ErrorUnit::Bound)
    }

    /// An error in this unit, such as `8.21e-5 relative`, `4.50e11 ulps` or `82064 x the bound`. `bounds` is the error in
    /// units of the bound. There are as many digits as it takes to see on which side of the bound it is.
    #[must_use]
    pub fn tell(&self, bounds: f64) -> String {
        let one = Rational::from(1);
        let (unit, name) = match self {
            ErrorUnit::Own(unit, name) => (unit, *name),
            ErrorUnit::Bound => (&one, "x the bound"),
        };
        let Some(exact) = Rational::from_f64(bounds).map(|b| b * unit) else {
            return format!("{} {name}", rough(bounds));
        };
        let shows = |text: &str| parse_rational(text).is_ok_and(|x| x.cmp(unit) == exact.cmp(unit));
        let short = rough(exact.to_f64());
        if shows(&short) {
            return format!("{short} {name}");
        }
        let all = (FEWEST..=MOST).map(|count| digits(&exact, count));
        let shown = all.into_iter().find(|text| shows(text)).unwrap_or_else(|| digits(&exact, MOST));
        format!("{shown} {name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;

    fn accuracy(rel: Option<&str>, abs: Option<&str>, ulps: Option<&str>) -> Accuracy {
        let number = |text: Option<&str>| text.map(|t| parse_rational(t).unwrap());
        Accuracy { rel: number(rel), abs: number(abs), ulps: number(ulps).map(|n| (n, Format::BINARY64)) }
    }

    #[test]
    fn the_accuracy_chooses_the_unit() {
        let told = |accuracy: Accuracy, bounds| ErrorUnit::of(&accuracy).tell(bounds);
        assert_eq!(told(accuracy(Some("1e-9"), None, None), 82064.0), "8.21e-5 relative");
        assert_eq!(told(accuracy(None, Some("0.25"), None), 2.0), "0.500 absolute");
        assert_eq!(told(accuracy(None, None, Some("4")), 2.5), "10.000 ulps");
        assert_eq!(told(accuracy(Some("1e-9"), None, Some("4")), 82064.0), "82064 x the bound");
        assert_eq!(told(accuracy(None, None, Some("4")), f64::INFINITY), "inf ulps");
    }

    #[test]
    fn an_accuracy_in_words_is_the_same_unit() {
        for accuracy in [
            accuracy(Some("1e-9"), None, None),
            accuracy(None, Some("0.25"), None),
            accuracy(None, None, Some("4")),
            accuracy(None, None, Some("1")),
            accuracy(Some("1e-9"), None, Some("4")),
        ] {
            assert_eq!(ErrorUnit::read(&accuracy.to_string()), ErrorUnit::of(&accuracy), "{accuracy}");
        }
    }

    #[test]
    fn a_result_just_outside_the_bound_is_not_told_as_the_bound() {
        let ulps = ErrorUnit::of(&accuracy(None, None, Some("1")));
        assert_eq!(ulps.tell(1.000_01), "1.00001 ulps");
        assert_eq!(ulps.tell(0.999_999), "0.999999 ulps");
        assert_eq!(ulps.tell(1.0), "1.000 ulps");
        let relative = ErrorUnit::of(&accuracy(Some("1e-9"), None, None));
        assert_eq!(relative.tell(1.0000001), "1.0000001e-9 relative");
    }
}
