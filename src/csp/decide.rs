//! The solver for one pair: cheap probes first, then what symbolic means show at once, then the search.

use super::build::{Csp, Encoding, Pair};
use super::question::Question;
use super::tolerance::Guess;
use super::verify::Verifier;
use crate::num::Interval;
use crate::points::probes::{LANES, lanes};
use crate::solve::problem::Examine;
use crate::solve::{Care, Limits, PointCheck, SearchEnd, Stats, StopReason, Tally, Turn, search_parts};
use crate::spec::InputBox;
use crate::tape::eval::Points;
use crate::tape::evaluate;
use crate::tape::knows_series;
use crate::tape::simplify::has_choices;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;

/// Find a verified kill of the pair's mutant on `domain`, or prove that there is none. `probes` are points to look at
/// before any search. Ends early where `stop` is set.
pub fn decide(
    pair: &Pair,
    domain: &InputBox,
    probes: &[Vec<f64>],
    encoding: Encoding,
    limits: Limits,
    stop: Option<&AtomicBool>,
    verifier: &mut Verifier<'_>,
) -> (SearchEnd, Stats) {
    let mut tally = Tally::default();
    if let Some(point) = probe(pair, probes, verifier) {
        let domain = point.iter().map(|x| Interval::point(*x)).collect();
        return (SearchEnd::Inner { point, domain, inner: false }, tally.stats());
    }
    tally.work().boxes += 1;
    let simple = pair.simplified(domain);
    if simple.f == simple.g {
        return (SearchEnd::Equal, tally.stats());
    }
    let mut check = |x: &[f64], care| verifier.check(x, care);
    let answer = match encoding {
        Encoding::Separation => piece_by_piece(simple, domain, limits, stop, &mut check, &mut tally),
        Encoding::Paper => in_turn(&simple, domain, limits, stop, &mut check, &mut tally),
    };
    (answer, tally.stats())
}

/// One problem, searched as a whole at first; what the budget of a turn leaves is cut into pieces, on each of which more
/// choices may be decided and more may be cancelled.
fn piece_by_piece(
    pair: Pair,
    domain: &InputBox,
    limits: Limits,
    stop: Option<&AtomicBool>,
    check: &mut Examine<'_>,
    tally: &mut Tally,
) -> SearchEnd {
    let end = tally.stats().boxes + limits.boxes;
    let mut pieces = VecDeque::from([(pair, vec![domain.ranges.clone()])]);
    while let Some((pair, boxes)) = pieces.pop_front() {
        let here = InputBox { ranges: hull(&boxes), ..domain.clone() };
        let simple = pair.simplified(&here);
        if simple.f == simple.g {
            continue;
        }
        let varies = has_choices(&simple.tape) || knows_series(&simple.tape);
        for csp in Csp::build(&simple, &here, Encoding::Separation) {
            let left = end.saturating_sub(tally.stats().boxes);
            let limits = Limits { boxes: if varies { PIECE.min(left) } else { left }, ..limits };
            let mut question = Question::new(&csp, limits, check);
            match search_parts(&mut question, boxes.clone(), limits, stop, tally) {
                Turn::Found(answer) => return answer,
                Turn::Done => {}
                Turn::Left(boxes) if tally.stats().boxes < end => {
                    pieces.extend(clusters(boxes, domain).into_iter().map(|c| (simple.clone(), c)));
                }
                Turn::Left(_) => return SearchEnd::Unknown(StopReason::Budget),
                Turn::Interrupted => return SearchEnd::Unknown(StopReason::Interrupted),
            }
        }
    }
    tally.answer()
}

/// The boxes of one turn at a piece.
const PIECE: u64 = 512;
/// Into how many pieces the boxes are put that a turn leaves.
const PIECES: usize = 8;

/// Boxes in groups of neighbours, along the input in which they are spread most.
fn clusters(mut boxes: Vec<Vec<Interval>>, domain: &InputBox) -> Vec<Vec<Vec<Interval>>> {
    let spread = |i: usize| {
        let all = hull(&boxes)[i].wid() / domain.ranges[i].wid();
        if all.is_nan() { 0.0 } else { all }
    };
    let Some(widest) = (0..domain.ranges.len()).max_by(|i, j| spread(*i).total_cmp(&spread(*j))) else {
        return vec![boxes];
    };
    boxes.sort_by(|a, b| a[widest].inf().total_cmp(&b[widest].inf()));
    let size = boxes.len().div_ceil(PIECES).max(1);
    boxes.chunks(size).map(<[_]>::to_vec).collect()
}

/// The smallest box that holds all of these.
fn hull(boxes: &[Vec<Interval>]) -> Vec<Interval> {
    let mut all = boxes[0].clone();
    for b in &boxes[1..] {
        for (a, x) in all.iter_mut().zip(b) {
            *a = *a | *x;
        }
    }
    all
}

/// The four problems of the paper. They take turns with growing budgets, so that one without an answer does not hold up
/// the others.
fn in_turn(
    pair: &Pair,
    domain: &InputBox,
    limits: Limits,
    stop: Option<&AtomicBool>,
    check: &mut Examine<'_>,
    tally: &mut Tally,
) -> SearchEnd {
    let mut problems = Csp::build(pair, domain, Encoding::Paper);
    let mut budget = FIRST_TURN.min(limits.boxes);
    loop {
        let mut open = Vec::new();
        for csp in problems {
            let mut own = Tally::default();
            let parts = vec![csp.start.ranges.clone()];
            let limits = Limits { boxes: budget, ..limits };
            match search_parts(&mut Question::new(&csp, limits, check), parts, limits, stop, &mut own) {
                Turn::Found(answer) => {
                    tally.count(own);
                    return answer;
                }
                Turn::Done => tally.absorb(own),
                Turn::Left(_) => {
                    tally.count(own);
                    open.push(csp);
                }
                Turn::Interrupted => {
                    tally.count(own);
                    return SearchEnd::Unknown(StopReason::Interrupted);
                }
            }
        }
        if open.is_empty() {
            return tally.answer();
        }
        if budget >= limits.boxes {
            return SearchEnd::Unknown(StopReason::Budget);
        }
        budget = budget.saturating_mul(8).min(limits.boxes);
        problems = open;
    }
}

/// The boxes of the first turn where several problems are searched.
const FIRST_TURN: u64 = 32;

/// The first probe that binary64 arithmetic takes for a kill and that is one.
pub fn probe(pair: &Pair, probes: &[Vec<f64>], verifier: &mut Verifier<'_>) -> Option<Vec<f64>> {
    if probes.is_empty() {
        return None;
    }
    let tolerance = (pair.spec_tolerance(), pair.mutant_tolerance());
    let mut values = Vec::new();
    for chunk in probes.chunks(LANES) {
        evaluate(&pair.tape, &mut Points { inputs: &lanes(chunk, pair.tape.inputs()) }, &mut values);
        for (l, point) in chunk.iter().enumerate() {
            let (f, g) = (values[pair.f.index()][l], values[pair.g.index()][l]);
            if seems_killed(f, g, &tolerance.0, &tolerance.1)
                && verifier.check(point, Care::Thorough) == PointCheck::Solution
            {
                return Some(point.clone());
            }
        }
    }
    None
}

/// Whether values in binary64 arithmetic differ by more than the tolerances, or one is none.
#[must_use]
pub fn seems_killed(f: f64, g: f64, tf: &Guess, tg: &Guess) -> bool {
    if f.is_nan() || g.is_nan() {
        return f.is_nan() != g.is_nan();
    }
    f.is_finite() && (f - g).abs() > (tf.at(f) + tg.at(g)) * 1.001
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Overrides, parse_file, resolve};

    /// Values that are further apart than both tolerances, or of which one is none.
    #[test]
    fn what_seems_killed_is_outside_of_both_tolerances() {
        let text = "(FPCore (x) :pre (<= 1 x 2) :magneto-abs-error 1/4 x)";
        let spec =
            resolve(&parse_file(text.as_bytes()), 0, "t.fpcore", &Overrides::default()).expect("a specification");
        let guess = Guess::new(&spec.accuracy);
        for (f, g, expected) in [
            (1.0, 1.75, true),
            (1.0, 0.25, true),
            (1.0, 1.375, false),
            (1.0, 1.0, false),
            (1.0, f64::INFINITY, true),
            (f64::INFINITY, 1.0, false),
            (f64::NAN, 1.0, true),
            (1.0, f64::NAN, true),
            (f64::NAN, f64::NAN, false),
        ] {
            assert_eq!(seems_killed(f, g, &guess, &guess), expected, "{f} {g}");
        }
    }
}
