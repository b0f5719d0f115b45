//! One point of a box that is good for something: found by the solver where no probe is.

use crate::num::Interval;
use crate::solve::{Conjunction, Limits, PointCheck, SearchEnd, search};
use crate::spec::InputBox;
use crate::suite::state::engine::Engine;

/// What was found.
pub(in crate::suite) enum Somewhere {
    /// A point that is accepted.
    At(Vec<f64>),
    /// At no point of the box do the conditions hold and f have a value.
    Nowhere,
    /// Neither.
    NotFound,
}

/// The boxes to look at. Points that are accepted are common where there are any, but for narrow result formats.
const BOXES: u64 = 20_000;

/// Look for a point of `ranges` at which the conditions hold and f has a value, and that `accept` takes.
pub(in crate::suite) fn somewhere(
    engine: &Engine<'_>,
    ranges: Vec<Interval>,
    mut accept: impl FnMut(&[f64]) -> bool,
) -> Somewhere {
    let domain = InputBox { ranges, ..engine.domain().clone() };
    let constraints = engine.own().where_defined();
    let mut check = |x: &[f64], _| if accept(x) { PointCheck::Solution } else { PointCheck::Unsettled };
    let limits = Limits { boxes: BOXES, ..Limits::default() };
    match search(&mut Conjunction::new(&constraints, &domain, limits, &mut check), limits, None).0 {
        SearchEnd::Inner { point, .. } => Somewhere::At(point),
        SearchEnd::Infeasible { .. } | SearchEnd::Equal => Somewhere::Nowhere,
        SearchEnd::Unknown(_) => Somewhere::NotFound,
    }
}
