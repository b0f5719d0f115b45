//! Two implementations at the same inputs.

use super::{Measure, Searched};
use crate::harness::Answer;
use crate::harness::batch::{Caller, Stop};
use crate::oracle::Verdict;
use crate::spec::Spec;

/// What two implementations give at an input.
#[derive(Clone, Debug)]
pub struct ComparedResults {
    /// The input.
    pub input: Vec<f64>,
    /// What each answers.
    pub answers: [Answer; 2],
    /// The error of each in ulps, where it is a finite number.
    pub ulps: [Option<f64>; 2],
    /// The verdict on each.
    pub verdicts: [Verdict; 2],
}

/// How many inputs of each search are compared.
const MOST: usize = 12;

/// Puts the inputs at which either errs most, by its own search, to both.
///
/// # Errors
/// A harness broke, or the run was interrupted.
pub fn compare(
    spec: &Spec,
    a: &mut Caller<'_>,
    b: &mut Caller<'_>,
    searched: [&Searched; 2],
    cap: u32,
) -> Result<Vec<ComparedResults>, Stop> {
    let mut inputs: Vec<Vec<f64>> = Vec::new();
    for one in searched {
        let findings = one.findings.iter().map(|f| &f.input);
        for input in findings.chain(one.parts.iter().map(|p| &p.input)).take(MOST) {
            if !inputs.contains(input) {
                inputs.push(input.clone());
            }
        }
    }
    let (first, second) = (a.call(&inputs)?, b.call(&inputs)?);
    let measure = Measure::new(spec, cap);
    let judged = |input: &[f64], answer: &Answer| {
        let y = if let Answer::Value(y) = answer { *y } else { f64::NAN };
        let exact = measure.exact(input, if y.is_finite() { y } else { 0.0 });
        let verdict = exact.as_ref().map_or(Verdict::Uncertain, |e| e.oracle.verdict(y));
        (exact.filter(|_| y.is_finite()).map(|e| e.ulps), verdict)
    };
    let both = inputs.into_iter().zip(first.into_iter().zip(second));
    Ok(both
        .map(|(input, (first, second))| {
            let ((u, v), (x, w)) = (judged(&input, &first), judged(&input, &second));
            ComparedResults { input, answers: [first, second], ulps: [u, x], verdicts: [v, w] }
        })
        .collect())
}
