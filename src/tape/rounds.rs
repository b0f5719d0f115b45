//! What the rounds of a loop make of a box of its variables.
//!
//! Each round is enclosed twice: by interval arithmetic, and by the mean value form of all rounds from the first on, whose derivatives
//! are products of the rounds' (a chain of Lohner's kind without a change of coordinates; for kinks Clarke, Optimization and
//! Nonsmooth Analysis, 1983, theorem 2.6.6). An iteration such as Newton's method comes nearer to its limit by its derivative alone,
//! and one that turns around its limit comes nearer by several rounds together.

use super::eval::{Boxes, Enclosure, evaluate};
use super::grad::gradient;
use super::node::{NodeId, Tape};
use crate::num::{Interval, Ternary};

/// So many rounds together may lead back into a box.
const ROUNDS: usize = 24;
/// How far such boxes reach around a state, in parts of the largest of the variables.
const REACHES: [f64; 4] =
    [1.0 / 1024.0, 1.0 / (1u64 << 20) as f64, 1.0 / (1u64 << 30) as f64, 1.0 / (1u64 << 40) as f64];

/// What a round does to boxes.
pub(super) struct BoxRound<'t> {
    /// What it evaluates, over the loop's names.
    pub(super) tape: &'t Tape,
    /// The condition.
    pub(super) goes_on: NodeId,
    /// What the variables become that are followed; none of other names.
    pub(super) next: Vec<Option<NodeId>>,
}

/// What has become of a box after some rounds.
pub(super) struct BoxPath {
    /// Holds what all of its points have become.
    pub(super) now: Vec<Interval>,
    /// None where the rounds may have a kink that no derivative encloses, or may have no value.
    mean_value: Option<MeanValue>,
    /// The names that have more than one value in the box, each with the box less its centre.
    moved: Vec<(usize, Interval)>,
}

struct MeanValue {
    /// Holds what the box's centre has become.
    centre: Vec<Interval>,
    /// By name the derivatives of what it has become by what the names were that have more than one value.
    slopes: Vec<Vec<Interval>>,
}

/// The sum of products, of which those with a factor 0 are 0.
fn scalar_product<'a>(a: impl IntoIterator<Item = &'a Interval>, b: impl IntoIterator<Item = Interval>) -> Interval {
    let zero = Interval::point(0.0);
    let both = a.into_iter().zip(b).filter(|(a, b)| **a != zero && *b != zero);
    both.fold(zero, |sum, (a, b)| sum + *a * b)
}

impl BoxPath {
    pub(super) fn new(state: &[Interval]) -> Self {
        let middle = |x: &Interval| Interval::point(if x.is_bounded() { x.mid() } else { 0.0 });
        let centre: Vec<Interval> = state.iter().map(middle).collect();
        let moved = |(k, x): (usize, &Interval)| (k, if x.is_bounded() { *x - centre[k] } else { Interval::ENTIRE });
        let moved: Vec<(usize, Interval)> =
            state.iter().enumerate().filter(|(_, x)| !x.is_point()).map(moved).collect();
        let unit = |k: usize| moved.iter().map(|(j, _)| Interval::point(if *j == k { 1.0 } else { 0.0 })).collect();
        let slopes = (0..state.len()).map(unit).collect();
        BoxPath { now: state.to_vec(), mean_value: Some(MeanValue { centre, slopes }), moved }
    }
}

impl BoxRound<'_> {
    /// Take another round. Returns what the condition is before it. Names that are not followed stay what they are.
    pub(super) fn follow(&self, path: &mut BoxPath) -> Enclosure {
        let mut values = Vec::new();
        evaluate(self.tape, &mut Boxes { inputs: &path.now }, &mut values);
        let goes_on = values[self.goes_on.index()];
        path.mean_value = path.mean_value.take().and_then(|before| self.chain(&values, &before));
        for (k, node) in self.next.iter().enumerate() {
            let Some(node) = node else { continue };
            path.now[k] = values[node.index()].x;
            if let Some(MeanValue { centre, slopes }) = &path.mean_value {
                let moved = path.moved.iter().map(|(_, moved)| *moved);
                path.now[k] = path.now[k] & (centre[k] + scalar_product(&slopes[k], moved));
            }
        }
        goes_on
    }

    /// The mean value form after a round more, whose values are given.
    fn chain(&self, values: &[Enclosure], before: &MeanValue) -> Option<MeanValue> {
        let (mut at_centre, mut adjoint) = (Vec::new(), Vec::new());
        evaluate(self.tape, &mut Boxes { inputs: &before.centre }, &mut at_centre);
        let (mut centre, mut slopes) = (before.centre.clone(), before.slopes.clone());
        let mut own = vec![Interval::EMPTY; self.next.len()];
        for (k, node) in self.next.iter().enumerate() {
            let Some(node) = node else { continue };
            if !gradient(self.tape, values, *node, &mut adjoint, &mut own) {
                return None;
            }
            centre[k] = at_centre[node.index()].x;
            for (j, slope) in slopes[k].iter_mut().enumerate() {
                *slope = scalar_product(&own, before.slopes.iter().map(|row| row[j]));
            }
        }
        Some(MeanValue { centre, slopes })
    }

    /// Whether the condition holds on all that a box becomes in some rounds, of which the last leads back into it: a loop whose
    /// names are in the box has no value.
    fn comes_back(&self, state: &[Interval]) -> bool {
        let mut path = BoxPath::new(state);
        for _ in 0..ROUNDS {
            if self.follow(&mut path).as_truth() != Ternary::True {
                return false;
            }
            if path.now.iter().zip(state).all(|(now, x)| now.subset(*x)) {
                return true;
            }
        }
        false
    }

    /// A box around another that some rounds together lead back into, see [`BoxRound::comes_back`].
    pub(super) fn returning_box(&self, state: &[Interval]) -> Option<Vec<Interval>> {
        let is_variable = || self.next.iter().map(Option::is_some);
        let largest = state.iter().zip(is_variable()).filter(|(_, is)| *is).map(|(x, _)| x.mag()).fold(0.0, f64::max);
        let reaching = |part: f64| {
            let margin = largest * part;
            let wide = |x: &Interval| Interval::new(x.inf() - margin, x.sup() + margin);
            state.iter().zip(is_variable()).map(|(x, is)| if is { wide(x) } else { *x }).collect::<Vec<_>>()
        };
        let is_bounded = largest.is_finite();
        REACHES.into_iter().filter(|_| is_bounded).map(reaching).find(|state| self.comes_back(state))
    }
}

#[cfg(test)]
mod tests {
    use super::super::lower::lower;
    use super::*;
    use crate::tape::Builder;

    /// A loop of two variables and a number that stays, which turns around a limit and comes nearer to it.
    fn round(texts: [&str; 2]) -> (Tape, NodeId, Vec<Option<NodeId>>) {
        let names = ["x", "y", "a"].map(str::to_owned);
        let mut builder = Builder::new(3);
        let mut node = |text: &str| {
            let file = crate::spec::parse_file(format!("(FPCore (x y a) {text})").as_bytes());
            lower(&mut builder, &names, &file.cores[0].as_ref().unwrap().body)
        };
        let next = vec![Some(node(texts[0])), Some(node(texts[1])), None];
        let goes_on = node("(< x 100)");
        (builder.finish(), goes_on, next)
    }

    #[test]
    fn a_path_holds_what_points_become_in_all_rounds() {
        for (texts, f) in [
            (
                ["(+ (* 1/2 x) (* 1/2 y))", "(fmax (- (+ y a) (* 1/4 x)) 0)"],
                (|[x, y, a]: [f64; 3]| [0.5 * x + 0.5 * y, (y + a - 0.25 * x).max(0.0), a]) as fn([f64; 3]) -> [f64; 3],
            ),
            (["(/ (+ x (/ a x)) 2)", "(* y (fabs (- x y)))"], |[x, y, a]| [(x + a / x) / 2.0, y * (x - y).abs(), a]),
            (["(if (< x y) (+ x 1/8) (* x 1/2))", "(sqrt y)"], |[x, y, a]| {
                [if x < y { x + 0.125 } else { x / 2.0 }, y.sqrt(), a]
            }),
        ] {
            let (tape, goes_on, next) = round(texts);
            let round = BoxRound { tape: &tape, goes_on, next };
            let state = [Interval::new(0.9, 1.1), Interval::new(0.8, 1.3), Interval::new(0.25, 0.5)];
            let mut path = BoxPath::new(&state);
            let mut random = crate::num::random::Random::seeded(1);
            let mut points: Vec<[f64; 3]> =
                (0..500).map(|_| state.map(|x| x.inf() + random.unit() * x.wid())).collect();
            for _ in 0..12 {
                round.follow(&mut path);
                for point in &mut points {
                    *point = f(*point);
                    // Rounding errors of the points are none of the path's.
                    let near = |(x, y): (&Interval, &f64)| *x & Interval::new(y - 1e-12, y + 1e-12) != Interval::EMPTY;
                    assert!(path.now.iter().zip(point.iter()).all(near), "{:?} {point:?}", path.now);
                }
            }
        }
    }

    #[test]
    fn a_box_around_a_limit_comes_nearer_by_several_rounds_together() {
        let (tape, goes_on, next) = round(["(+ (* 1/2 x) (* 1/2 y))", "(fmax (- (+ y a) (* 1/4 x)) 0)"]);
        let round = BoxRound { tape: &tape, goes_on, next };
        let state = [Interval::new(0.99, 1.01), Interval::new(0.99, 1.01), Interval::point(0.25)];
        let mut path = BoxPath::new(&state);
        round.follow(&mut path);
        assert!(!path.now[1].subset(state[1]), "{:?}", path.now);
        (0..15).for_each(|_| _ = round.follow(&mut path));
        assert!(path.now.iter().zip(&state).all(|(now, x)| now.subset(*x)), "{:?}", path.now);
        let around = |x: f64| [x, x, 0.25].map(Interval::point);
        assert!(round.returning_box(&around(1.0)).is_some());
        assert_eq!(round.returning_box(&around(3.0)), None);
    }
}
