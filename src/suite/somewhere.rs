//! One point of a box that is good for something: found by the solver where no probe is.

use super::engine::Engine;
use crate::csp::{Csp, Encoding};
use crate::num::Interval;
use crate::ops::Op;
use crate::solver::{Answer, Check, Limits, search};
use crate::tape::Builder;

/// What was found.
pub(super) enum Somewhere {
    /// A point that is accepted.
    At(Vec<f64>),
    /// At no point of the box do the conditions hold and f have a value.
    Nowhere,
    /// Neither.
    NotFound,
}

/// The boxes to look at. Points that are accepted are common where there are any.
const BOXES: u64 = 2000;

/// Look for a point of `ranges` at which the conditions hold and f has a value, and that `accept` takes.
pub(super) fn somewhere(
    engine: &Engine<'_>,
    ranges: Vec<Interval>,
    mut accept: impl FnMut(&[f64]) -> bool,
) -> Somewhere {
    let mut domain = engine.domain.clone();
    domain.ranges = ranges;
    let mut csp = Csp::build(&engine.own, &domain, Encoding::Separation).remove(0);
    // Any point at all: the gap is 1 wherever f has a value.
    let mut b = Builder::on(csp.tape);
    let (zero, one) = (b.rational(0.into()), b.rational(1.into()));
    let nothing = b.op(Op::Mul, &[zero, csp.f]);
    csp.gap = b.op(Op::Add, &[one, nothing]);
    csp.relative_gap = None;
    csp.scale = one;
    csp.tape = b.finish();
    let mut check = |x: &[f64], _| if accept(x) { Check::Solution } else { Check::Unsettled };
    let limits = Limits { boxes: BOXES, mean_value: false, ..Limits::default() };
    match search(&csp, limits, None, &mut check).0 {
        Answer::Inner { point, .. } => Somewhere::At(point),
        Answer::Infeasible { .. } | Answer::Equal => Somewhere::Nowhere,
        Answer::Unknown(_) => Somewhere::NotFound,
    }
}
