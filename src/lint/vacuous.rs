//! Whether a program that computes nothing meets the accuracy.

use super::head;
use crate::csp::look::Prepared;
use crate::num::Interval;
use crate::num::float::decimal;
use crate::oracle::quick::QuickTolerance;
use crate::oracle::{Oracle, accepted_by_all};
use crate::spec::{InputBox, Spec};
use crate::tape::eval::Boxes;
use crate::tape::evaluate;
use crate::text::Diagnostic;

/// A constant that meets the accuracy of an f that is none: at all probe points, of which these are the oracles, or, by
/// enclosures, everywhere.
pub(super) fn constant(
    spec: &Spec,
    prepared: &Prepared<'_>,
    domain: &InputBox,
    owed: &[Option<Oracle>],
) -> Option<Diagnostic> {
    let valued: Vec<&Oracle> = owed.iter().flatten().filter(|o| **o != Oracle::Undefined).collect();
    let nearest = |o: &&Oracle| if let Oracle::Decided { expected, .. } = o { Some(*expected) } else { None };
    if valued.iter().all(|o| nearest(o) == nearest(&valued[0])) {
        return None;
    }
    let c = accepted_by_all(valued.iter().copied(), spec.result_format)?;
    let all = valued.len();
    let message = if is_near(spec, prepared, domain, c) {
        format!("the constant {} meets the accuracy everywhere on the domain (proved)", decimal(c))
    } else {
        format!("the constant {} meets the accuracy at all {all} probe points", decimal(c))
    };
    let hint = "a program that computes nothing passes: ask for a smaller error";
    Some(Diagnostic::semantic(head(spec), message).hint(hint))
}

/// Whether a number surely is within the tolerance of f at every input of the domain at which f has a value.
fn is_near(spec: &Spec, prepared: &Prepared<'_>, domain: &InputBox, c: f64) -> bool {
    if c == 0.0 && spec.accuracy.rel.as_ref().is_some_and(|r| *r >= 1) {
        return true;
    }
    let (tape, root, _) = prepared.parts();
    let mut values = Vec::new();
    evaluate(tape, &mut Boxes { inputs: &domain.ranges }, &mut values);
    let f = values[root.index()].x;
    f.is_bounded() && (f - Interval::point(c)).mag() <= QuickTolerance::new(&spec.accuracy).bounds(f).0
}
