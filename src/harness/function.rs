//! Functions of this very process: how they are called, and what ends that.

use super::answer::rounded;
use super::{Answer, HarnessFault};
use crate::floats::Format;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Why no more points are put.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The harness broke.
    Broken(HarnessFault),
    /// From outside.
    Interrupted,
}

/// A function of this process: the inputs of one point after the other give an answer a point, or why no more are put.
pub type InProcess<'a> = dyn Fn(&[f64]) -> Result<Vec<Answer>, Stop> + Sync + 'a;

/// A function of so many numbers as one that takes any number of points: a panic is a crash at its point.
pub fn of_numbers<R: Into<Answer>>(
    inputs: usize,
    function: impl Fn(&[f64]) -> R + Sync,
) -> impl Fn(&[f64]) -> Result<Vec<Answer>, Stop> + Sync {
    move |numbers| {
        let one = |point: &[f64]| match catch_unwind(AssertUnwindSafe(|| function(point))) {
            Ok(y) => y.into(),
            Err(panic) => Answer::Crash(words(panic.as_ref())),
        };
        // The one point of a function without inputs has no numbers.
        if inputs == 0 { Ok(vec![one(&[])]) } else { Ok(numbers.chunks(inputs).map(one).collect()) }
    }
}

/// What a panic says.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.map_or("a panic".to_owned(), |text| format!("a panic: {text}"))
}

/// The answers to `count` points, rounded to `format`.
pub(super) fn call(
    function: &InProcess<'_>,
    numbers: &[f64],
    count: usize,
    format: Format,
) -> Result<Vec<Answer>, Stop> {
    let mut answers = function(numbers)?;
    if answers.len() != count {
        let why = format!("the function gave {} answers to {count} points", answers.len());
        return Err(Stop::Broken(HarnessFault { test: None, why, errors: Vec::new() }));
    }
    for answer in &mut answers {
        if let Answer::Value(y) = answer {
            *y = rounded(*y, format);
        }
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_rounded_to_the_format_and_panics_are_crashes() {
        let twice = of_numbers(2, |x| if x[0] > 2.0 { panic!("too large") } else { x[0] + x[1] });
        let answers = call(&twice, &[1.0, 2f64.powi(-30), 3.0, 0.0, 1e300, 0.0][..4], 2, Format::BINARY32).unwrap();
        assert_eq!(answers, [Answer::Value(1.0), Answer::Crash("a panic: too large".to_owned())]);
        let same = of_numbers(1, |x| x[0]);
        let given = [1e300, -1e300, -1e-60, f64::NEG_INFINITY, 3.402_823_56e38];
        let got = call(&same, &given, given.len(), Format::BINARY32).unwrap();
        let want = [f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::NEG_INFINITY, f64::from(f32::MAX)];
        assert_eq!(got, want.map(Answer::Value));
        assert!(matches!(got[2], Answer::Value(y) if y.is_sign_negative()));
        assert_eq!(call(&of_numbers(0, |_| 7.0), &[], 1, Format::BINARY64).unwrap(), [Answer::Value(7.0)]);
    }

    #[test]
    fn an_answer_too_few_breaks_the_harness() {
        let none = |_: &[f64]| Ok(Vec::new());
        assert!(matches!(call(&none, &[1.0], 1, Format::BINARY64), Err(Stop::Broken(_))));
    }
}
