//! Inputs at the edges of what a program computes on the way: where an intermediate result overflows or becomes so small
//! that its rounding costs the accuracy, although a later operation may bring the result back, and next to where a number
//! is rounded to another integer or a condition changes, which a rounding error moves.

use crate::floats::{from_rank, middle_float, rank};
use crate::ops::Op;
use crate::points::Bracket;
use crate::points::probes::many;
use crate::program::{Node, Program, Step};
use crate::spec::{Accuracy, InputBox};

/// Through how many points lines go, and along how many inputs, evenly chosen of many.
const BASES: usize = 4;
const INPUTS: usize = 8;
/// The inputs looked at on each line: so many evenly over the numbers of the range, and so many over its floats.
const STEPS: u32 = 64;
/// The last nodes of a program that are looked at.
const NODES: usize = 100;
/// The most edges of one node, and of all, evenly chosen.
const OF_NODE: usize = 24;
pub(super) const EDGES: usize = 180;
/// Halvings of the way to an edge.
const HALVINGS: u32 = 64;
/// Where an integer or a condition changes, this many floats beside; beyond the end of a range, this many further out.
const BESIDE: [i64; 5] = [0, -1, 1, -2, 2];
const BEYOND: [i64; 5] = [0, 1 << 30, 1 << 45, 1 << 50, 1 << 53];

/// An input between two neighbours of a line between which a node changes its state.
struct Edge {
    node: usize,
    input: usize,
    ends: Bracket<Vec<f64>>,
}

/// At most `EDGES * BESIDE.len()` inputs of the domain's box, in a fixed order.
#[must_use]
pub fn edges(domain: &InputBox, program: &Program, accuracy: &Accuracy) -> Vec<Vec<f64>> {
    let smallest = smallest(program, accuracy);
    let mut values = Vec::new();
    let mut states = |x: &[f64]| -> Vec<f64> {
        program.point(x, &mut values);
        program.nodes().iter().zip(&values).map(|(node, v)| state(node, *v, smallest)).collect()
    };
    let mut all = Vec::new();
    for edge in thinned(found(domain, program, &mut states), EDGES) {
        let Edge { node, input, ends } = edge;
        let own = states(&ends.before)[node];
        let middle = |before: &Vec<f64>, after: &Vec<f64>| {
            let mut middle = before.clone();
            middle[input] = middle_of(before[input], after[input]);
            Some(domain.clamp(&middle)).filter(|middle| middle != before && middle != after)
        };
        let Bracket { before, after } = ends.bisect(HALVINGS, middle, |x| Some(states(x)[node] == own));
        let outward = if after[input] < before[input] { -1 } else { 1 };
        let steps = if is_jump(&program.nodes()[node]) { BESIDE } else { BEYOND };
        all.extend(steps.map(|step| {
            let mut x = after.clone();
            x[input] = from_rank(rank(x[input]).saturating_add(step * outward).clamp(-MOST, MOST));
            domain.clamp(&x)
        }));
    }
    all
}

/// The ordinal of the largest finite number.
const MOST: i64 = 0x7fef_ffff_ffff_ffff;

/// The lines' pairs of neighbours between which a node changes its state.
fn found(domain: &InputBox, program: &Program, states: &mut impl FnMut(&[f64]) -> Vec<f64>) -> Vec<Edge> {
    let nodes = program.nodes().len();
    let mut of_node: Vec<Vec<Edge>> = (0..nodes.min(NODES)).map(|_| Vec::new()).collect();
    let each = domain.ranges.len().div_ceil(INPUTS).max(1);
    for base in many(domain, BASES) {
        for (input, range) in domain.ranges.iter().enumerate().step_by(each) {
            let mut last: Option<(Vec<f64>, Vec<f64>)> = None;
            for value in line(range.inf(), range.sup()) {
                let mut x = base.clone();
                x[input] = value;
                let x = domain.clamp(&x);
                let now = states(&x);
                if let Some((before, old)) = &last {
                    for (back, edges) in of_node.iter_mut().enumerate() {
                        let node = nodes - 1 - back;
                        if old[node] != now[node] {
                            let ends = Bracket { before: before.clone(), after: x.clone() };
                            edges.push(Edge { node, input, ends });
                        }
                    }
                }
                last = Some((x, now));
            }
        }
    }
    of_node.into_iter().flat_map(|edges| thinned(edges, OF_NODE)).collect()
}

/// Numbers of a range in ascending order.
fn line(lo: f64, hi: f64) -> Vec<f64> {
    let (a, b) = (rank(lo) as f64, rank(hi) as f64);
    let shares = (0..=STEPS).map(|k| f64::from(k) / f64::from(STEPS));
    let mut all: Vec<f64> =
        shares.flat_map(|t| [lo * (1.0 - t) + hi * t, from_rank((a + (b - a) * t) as i64)]).collect();
    all.retain(|x| lo <= *x && *x <= hi);
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// At most so many, evenly chosen.
fn thinned<T>(all: Vec<T>, most: usize) -> impl Iterator<Item = T> {
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step)
}

/// Below this the rounding of a number to a subnormal one is more than the tolerance, if that is relative.
fn smallest(program: &Program, accuracy: &Accuracy) -> f64 {
    let relative = accuracy.rel.as_ref().map(crate::num::Rational::to_f64).filter(|r| *r > 0.0);
    relative.map_or(f64::MIN_POSITIVE, |r| 0.5 / r * program.format().least())
}

/// Whether a node's result is an integer or a truth value.
fn is_jump(node: &Node) -> bool {
    match node.step {
        Step::Op(op, _) => matches!(op, Op::Floor | Op::Ceil | Op::Round | Op::Nearbyint | Op::Trunc),
        Step::Compare(..) | Step::Classify(..) | Step::And(..) | Step::Or(..) | Step::Not(_) => true,
        Step::Input(_) | Step::Literal(_) | Step::Convert(_) | Step::Truth(_) | Step::If(..) => false,
    }
}

/// What changes at an edge: the value of a jump, or whether another one is too small, in the range, or beyond it.
fn state(node: &Node, value: f64, smallest: f64) -> f64 {
    match value.abs() {
        _ if value.is_nan() => 2.0,
        _ if is_jump(node) => value,
        size if size < smallest => 0.0,
        size if size.is_finite() => 1.0,
        _ => 2.0,
    }
}

/// Between two numbers: in the middle, of as many floats where they are far apart.
#[must_use]
pub fn middle_of(a: f64, b: f64) -> f64 {
    let far = a.abs() > 16.0 * b.abs() || b.abs() > 16.0 * a.abs();
    // A zero is beside the numbers of both signs.
    let same_sign = a == 0.0 || b == 0.0 || a.signum() == b.signum();
    if far && same_sign { middle_float(a, b) } else { 0.5 * a + 0.5 * b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In each part of a range are as many numbers as in another one of its width, or of as many floats.
    #[test]
    fn a_line_has_numbers_of_all_sizes() {
        let part = |all: &[f64], lo: f64, hi: f64| all.iter().filter(|x| lo <= **x && **x <= hi).count();
        let least = STEPS as usize / 4 - 1;
        let wide = line(1e-300, 1e300);
        for (lo, hi) in
            [(1e-300, 1e-150), (1e-150, 1.0), (1.0, 1e150), (1e150, 1e300), (2.5e299, 5e299), (7.5e299, 1e300)]
        {
            assert!(part(&wide, lo, hi) >= least, "{lo:e} to {hi:e}");
        }
        let both = line(-1.0, 1.0);
        for (lo, hi) in [(-1.0, -0.5), (-0.5, 0.0), (0.0, 0.5), (0.5, 1.0), (-1e-30, 1e-30)] {
            assert!(part(&both, lo, hi) >= least, "{lo:e} to {hi:e}");
        }
        for all in [wide, both] {
            assert!(all.windows(2).all(|w| w[0] < w[1]), "{all:?}");
        }
    }

    #[test]
    fn a_middle_is_that_of_as_many_floats_where_the_ends_are_far_apart() {
        let pairs =
            [(1.0, 4.0, 2.5), (-4.0, -1.0, -2.5), (1.0, 1024.0, 32.0), (-1024.0, -1.0, -32.0), (-2.0, 1024.0, 511.0)];
        for (a, b, middle) in pairs {
            assert_eq!([middle_of(a, b), middle_of(b, a)], [middle; 2]);
        }
    }
}
