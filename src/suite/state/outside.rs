//! Inputs that are outside the domain, or of one range and not of another one.

use crate::floats::middle_float;
use crate::num::Interval;
use crate::suite::MatrixCell;
use crate::suite::state::engine::{Engine, Kind};

/// The representable values of `a` that are not in `b`, as intervals.
pub(in crate::suite) fn strips(engine: &Engine<'_>, input: usize, a: Interval, b: Interval) -> Vec<Interval> {
    let format = engine.domain().formats[input];
    if (a & b).is_empty() {
        return vec![a];
    }
    let below = format.next_down(b.inf()).map(|x| Interval::new(a.inf(), x));
    let above = format.next_up(b.sup()).map(|x| Interval::new(x, a.sup()));
    below.into_iter().chain(above).filter(|s| !s.is_empty()).collect()
}

/// Values of a strip worth trying: in the middle first, where a reader sees at once that it is outside.
pub(in crate::suite) fn values(engine: &Engine<'_>, input: usize, strip: Interval) -> Vec<f64> {
    let format = engine.domain().formats[input];
    let all = [strip.mid(), middle_float(strip.inf(), strip.sup()), strip.inf(), strip.sup()];
    let mut list = Vec::new();
    for x in all.map(|x| format.nearest(x).clamp(strip.inf(), strip.sup()) + 0.0) {
        if !list.contains(&x) {
            list.push(x);
        }
    }
    list
}

/// The verdicts of an input at which the response is owed on all mutants.
pub(in crate::suite) fn outside_row(engine: &Engine<'_>, point: &[f64]) -> Vec<MatrixCell> {
    let taken = !engine.domain().contains(point) && engine.is_taken(point);
    let beyond = beyond_ranges(engine, point);
    let cell = |kind| if taken { outside_cell(kind, point, &beyond) } else { MatrixCell::Ok };
    engine.kinds().iter().map(cell).collect()
}

/// The inputs that are not in their range.
pub(in crate::suite) fn beyond_ranges(engine: &Engine<'_>, point: &[f64]) -> Vec<usize> {
    let ranges = &engine.domain().ranges;
    (0..point.len()).filter(|i| !ranges[*i].contains(point[*i])).collect()
}

/// At an input outside the box, at which f has a value: whoever keeps the box owes the same response. `beyond` has the
/// inputs that are not in their range.
pub(in crate::suite) fn outside_cell(kind: &Kind, point: &[f64], beyond: &[usize]) -> MatrixCell {
    let Kind::Range { input, range: Some(range) } = kind else { return MatrixCell::Ok };
    let takes = beyond.iter().all(|other| other == input) && range.contains(point[*input]);
    if takes { MatrixCell::Ko { margin: f64::INFINITY } } else { MatrixCell::Ok }
}
