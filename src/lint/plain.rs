//! What is known of the plain evaluation of a specification: the body as it is written, operation by operation in the format of
//! the result.

use crate::floats::Format;
use crate::num::AtMost;
use crate::ops::float::LibmUlps;
use crate::oracle::formula::Formula;
use crate::program::Program;
use crate::rounding::{Effort, FoundError, Goal, RealFunction, find, prove};
use crate::spec::{InputBox, Spec};

/// Boxes looked at for one bound.
const BOXES: u64 = 1500;
/// Inputs at which errors are measured.
const EVALUATIONS: usize = 900;
/// Formulas of up to so many nodes have all of these; larger ones fewer, so that a look at them takes as long.
const NODES: usize = 2048;
/// Of the largest formulas so many inputs and boxes are left.
const LEAST: usize = 64;

/// Inputs and boxes that there is time for.
fn effort(nodes: usize) -> (usize, u64) {
    let share = |of: usize| (of * NODES / nodes.max(NODES)).max(LEAST);
    (share(EVALUATIONS), share(BOXES as usize) as u64)
}

/// A bound of the error of the plain evaluation, and the largest error found.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// The format of all operations: that of the result.
    pub format: Format,
    /// Whether error and bound are relative to the exact value; absolute else.
    pub relative: bool,
    /// No input of the domain errs by more than this, proved; infinite if nothing was proved.
    pub bound: AtMost,
    /// The largest such error found.
    pub found: Option<FoundError>,
    /// What the accuracy asked for says to it.
    pub accuracy: PlainMeets,
    /// The errors of library functions that proofs take for granted; none where the program calls none.
    pub library: Option<LibmUlps>,
}

/// Whether the plain evaluation meets the accuracy.
#[derive(Clone, Debug, PartialEq)]
pub enum PlainMeets {
    /// It does, everywhere: the largest error is proved to be at most this part of the tolerance.
    Proved(AtMost),
    /// It misses it at an input, by an error of so many times the tolerance.
    Missed(FoundError),
    /// Neither was found.
    Open,
}

/// Examine the plain evaluation. `None` where the body is no such program, and where the specification itself is one.
#[must_use]
pub(super) fn plain(spec: &Spec, domain: &InputBox) -> Option<Plain> {
    if spec.formula.is_some() {
        return None;
    }
    let names: Vec<String> = spec.inputs.iter().map(|i| i.name.clone()).collect();
    let format = spec.result_format;
    let program = Program::written(&names, &spec.core.body, format, format)?;
    let ulps = spec.libm_ulps;
    let formula = Formula::new(spec);
    let exact = RealFunction { tape: &formula.tape, root: formula.root, conditions: &formula.conditions };
    let (evaluations, boxes) = effort(exact.tape.len());
    let bound = |goal, enough| {
        let effort = Effort { boxes, start: &[], enough, slack: 0.02 };
        prove(&program, exact, domain, goal, ulps, effort).map_or(f64::INFINITY, |b| b.value)
    };
    let found = |goal| find(&program, exact, domain, goal, evaluations);
    let by_relative = bound(Goal::Relative, 0.0);
    let relative = by_relative.is_finite();
    let goal = if relative { Goal::Relative } else { Goal::Absolute };
    let value = if relative { by_relative } else { bound(Goal::Absolute, 0.0) };
    let tolerance = Goal::Tolerance(&spec.accuracy);
    let accuracy = match found(tolerance) {
        Some(worst) if worst.error > 1.0 => PlainMeets::Missed(worst),
        _ => match bound(tolerance, 1.0) {
            b if b <= 1.0 => PlainMeets::Proved(AtMost(b)),
            _ => PlainMeets::Open,
        },
    };
    let library = program.assumes(ulps);
    Some(Plain { format, relative, bound: AtMost(value), found: found(goal), accuracy, library })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_at_a_large_formula_costs_no_more_than_at_a_small_one() {
        assert_eq!([effort(1), effort(NODES)], [(EVALUATIONS, BOXES); 2]);
        for nodes in [3000, 10_000, 28_000] {
            let (evaluations, boxes) = effort(nodes);
            assert!(evaluations * nodes <= EVALUATIONS * NODES && boxes as usize * nodes <= BOXES as usize * NODES);
        }
        assert_eq!(effort(1 << 24), (LEAST, LEAST as u64));
    }
}
