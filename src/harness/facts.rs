//! What all results have in common, beside the changes of [`super::causes`].

use super::answer::{Answer, GivenAnswer};
use super::judge::TestOutcome;
use crate::floats::Format;

/// Something that holds of all results.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// The failing results are near the exact ones, in themselves and as the bound measures: only the accuracy is missed.
    Near {
        /// The power of ten by which the bound would have to be larger for all of them to pass.
        times: f64,
        /// The largest error, in units of the bound.
        worst: f64,
    },
    /// All results are values of a narrower format.
    Narrow(Format),
    /// All results were printed with so many significant decimal digits at most.
    Printed(usize),
    /// All results are the same.
    Constant(f64),
    /// So many results are NaN, of so many.
    Nan(usize, usize),
    /// So many failing results, which are all of them, are NaN, infinite, or 0, where another finite number is owed.
    Overflow(usize),
    /// Every failure is a refusal: no wrong result came back. So many inputs of the domain were refused, of so many.
    Refused(usize, usize),
}

/// Relative errors below this are taken for a missed accuracy rather than another function.
const NEAR: f64 = 1e-3;
/// Nor is more than this taken for it, whatever the accuracy. Unit: the bound.
const MOST_TIMES: f64 = 1e6;
/// Fewer results than this have nothing in common that counts.
const FEW: usize = 2;

/// The facts about the answers to tests inside the domain; none if nothing failed there. That nothing but refusals failed
/// is said of all tests.
#[must_use]
pub fn facts(answers: &[GivenAnswer], outcomes: &[TestOutcome], format: Format) -> Vec<Fact> {
    let inside: Vec<(&GivenAnswer, &TestOutcome)> =
        answers.iter().zip(outcomes).filter(|(_, o)| !o.robustness).collect();
    let values: Vec<(f64, &GivenAnswer, &TestOutcome)> = inside
        .iter()
        .filter_map(|(g, o)| if let Answer::Value(y) = g.answer { Some((y, *g, *o)) } else { None })
        .collect();
    let failed: Vec<&(f64, &GivenAnswer, &TestOutcome)> = values.iter().filter(|v| v.2.fails()).collect();
    let mut facts = Vec::new();
    let all_failed = || answers.iter().zip(outcomes).filter(|(_, o)| o.fails());
    let refuses = |g: &GivenAnswer| matches!(g.answer, Answer::Reject(_));
    if all_failed().next().is_some() && all_failed().all(|(g, _)| refuses(g)) {
        facts.push(Fact::Refused(inside.iter().filter(|(g, _)| refuses(g)).count(), inside.len()));
    }
    if failed.is_empty() {
        return facts;
    }
    // A result that is off by all of itself is 0.
    let lost = |v: &&&(f64, &GivenAnswer, &TestOutcome)| !v.0.is_finite() || v.0 == 0.0 && v.2.relative == Some(1.0);
    if failed.iter().filter(lost).count() == failed.len() && failed.len() < inside.len() {
        facts.push(Fact::Overflow(failed.len()));
    }
    if let Some(worst) = near(&failed) {
        let times = 10f64.powi(worst.log10().ceil().max(1.0) as i32);
        facts.push(Fact::Near { times, worst });
    }
    let finite: Vec<f64> = values.iter().map(|v| v.0).filter(|y| y.is_finite()).collect();
    // Integers are values of many formats, and say nothing of one.
    let narrower = Format::ALL.into_iter().filter(|f| *f != format && format.includes(*f) && !format.is_fixed());
    // Whole numbers and the like are values of every format.
    let telling = finite.iter().filter(|y| y.to_bits().trailing_zeros() < 44).count();
    if telling >= FEW
        && let Some(narrow) = narrower.into_iter().find(|f| finite.iter().all(|y| f.holds(*y)))
    {
        facts.push(Fact::Narrow(narrow));
    }
    let digits: Option<Vec<usize>> = values.iter().filter(|v| v.0.is_finite()).map(|v| printed(v.1)).collect();
    if let Some(most) = digits.filter(|d| d.len() >= FEW).and_then(|d| d.into_iter().max())
        && most < enough_digits(format)
        && most > 1
    {
        facts.push(Fact::Printed(most));
    }
    if finite.len() >= FEW && finite.len() == values.len() && finite.iter().all(|y| *y == finite[0]) {
        facts.push(Fact::Constant(finite[0]));
    }
    let nan = values.iter().filter(|v| v.0.is_nan()).count();
    if nan > 0 {
        facts.push(Fact::Nan(nan, values.len()));
    }
    facts
}

/// The largest error in units of the bound, if all failing results are near.
fn near(failed: &[&(f64, &GivenAnswer, &TestOutcome)]) -> Option<f64> {
    let errors = failed.iter().map(|(y, _, o)| {
        let small = o.relative.is_none_or(|r| r < NEAR);
        o.error.map(|e| e.0).filter(|e| y.is_finite() && small && e.is_finite())
    });
    errors.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max).filter(|worst| *worst <= MOST_TIMES)
}

/// The significant digits of a result as it was printed, if in decimal.
fn printed(given: &GivenAnswer) -> Option<usize> {
    let text = given.text.as_deref()?;
    let mantissa = text.trim_start_matches(['+', '-']);
    if mantissa.starts_with("0x") || mantissa.starts_with("0X") {
        return None;
    }
    let mantissa = mantissa.split(['e', 'E']).next()?;
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    Some(digits.trim_start_matches('0').len())
}

/// Decimal digits that tell any two numbers of a format apart.
fn enough_digits(format: Format) -> usize {
    match format {
        // 17 are enough for all; the shortest form of a number that has fewer is exact as well.
        Format::BINARY64 => 15,
        _ => (1.0 + f64::from(format.precision()) * std::f64::consts::LOG10_2).ceil() as usize,
    }
}
