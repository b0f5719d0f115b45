//! Points of a domain that are chosen to hurt: where a claim that is wrong anywhere is most likely to be.

use crate::points::Bracket;
use crate::points::probes::{many, probes};
use crate::points::switches::{Line, Switch, steps};
use crate::points::values::in_range;
use crate::spec::InputBox;
use crate::tape::{NodeId, Tape, TapeNode};

/// Points through which lines go, and between which inputs are put together.
const THROUGH: usize = 6;
/// With more inputs than this only a few special values of each are put in pairs.
const FEW_INPUTS: usize = 6;

/// The probes, `count` points all over the domain, all pairs of special values of two inputs, points with x = y and
/// x = -y, and where switches go over.
pub(super) fn hurtful(domain: &InputBox, tape: &Tape, switches: &[Switch], count: usize) -> Vec<Vec<f64>> {
    let mut points = probes(domain);
    let through = many(domain, THROUGH);
    points.extend(many(domain, count));
    if count > 0 {
        points.extend(pairs_of_special_values(domain, &through));
        points.extend(equal_inputs(domain, &through));
        points.extend(ties(domain, tape, switches, &through));
    }
    points
}

fn pairs_of_special_values(domain: &InputBox, through: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = domain.ranges.len();
    let special = |i: usize| -> Vec<f64> {
        let r = domain.ranges[i];
        if n <= FEW_INPUTS {
            return in_range(r.inf(), r.sup()).collect();
        }
        [r.inf(), r.sup(), 0.0, 1.0, -1.0].into_iter().filter(|x| r.contains(*x)).collect()
    };
    let mut points = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            for (k, x) in special(i).into_iter().enumerate() {
                for y in special(j) {
                    let mut p = through[k % through.len()].clone();
                    (p[i], p[j]) = (x, y);
                    points.push(domain.clamp(&p));
                }
            }
        }
    }
    points
}

fn equal_inputs(domain: &InputBox, through: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = domain.ranges.len();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).filter(|(i, j)| i != j);
    let moved = |(i, j): (usize, usize)| {
        through.iter().flat_map(move |p| {
            [p[i], -p[i]].map(|x| {
                let mut p = p.clone();
                p[j] = x;
                domain.clamp(&p)
            })
        })
    };
    pairs.flat_map(moved).collect()
}

/// Where switches go over on lines through some points: before, there and after.
fn ties(domain: &InputBox, tape: &Tape, switches: &[Switch], through: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut points = Vec::new();
    for (input, (range, format)) in domain.ranges.iter().zip(&domain.formats).enumerate() {
        if !tape.nodes().iter().any(|n| matches!(n, TapeNode::Var(i) if *i as usize == input)) {
            continue;
        }
        let xs = steps(range.inf(), range.sup(), *format);
        for point in through {
            let places = Line::new(tape, point, input).changes(switches, &xs, *format);
            for Bracket { before, after: there } in places.into_iter().flatten() {
                let after = format.next_up(there).filter(|x| *x <= range.sup()).unwrap_or(there);
                points.extend([before, there, after].map(|x| {
                    let mut p = point.clone();
                    p[input] = x;
                    p
                }));
            }
        }
    }
    points
}

/// The sides of all comparisons of a tape.
pub(super) fn comparisons(tape: &Tape) -> Vec<[NodeId; 2]> {
    let sides = |n: &TapeNode| match n {
        TapeNode::Less(a, b) | TapeNode::LessEq(a, b) | TapeNode::Equal(a, b) => Some([*a, *b]),
        _ => None,
    };
    tape.nodes().iter().filter_map(sides).collect()
}

/// How often the step of a climb is halved.
const HALVINGS: i32 = 48;

/// A point near another with a larger size: one input after the other moves by steps that shrink (R. Hooke, T. A. Jeeves,
/// "Direct search", 1961).
pub(super) fn climbed(domain: &InputBox, mut best: Vec<f64>, size: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let mut largest = size(&best);
    for halving in 1..HALVINGS {
        for (input, sign) in (0..best.len()).flat_map(|i| [(i, 1.0), (i, -1.0)]) {
            let mut point = best.clone();
            point[input] += sign * point[input].abs().max(1e-9) * 0.5f64.powi(halving);
            let point = domain.clamp(&point);
            let here = size(&point);
            if here > largest {
                (best, largest) = (point, here);
            }
        }
    }
    best
}
