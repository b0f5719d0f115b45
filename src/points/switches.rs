//! Where a formula switches: the places along a line at which a sign, a comparison or a rounding goes over.
//!
//! Between points of the line the sides are compared; the way between two that differ is halved by ordinals, in multiple
//! precision, until they are neighbours.

use super::Bracket;
use crate::floats::{Format, from_rank, middle_float, rank};
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval};
use crate::ops::Op;
use crate::tape::eval::{Boxes, Multi, Points};
use crate::tape::{NodeId, Tape, TapeNode, evaluate};

/// Points of a line between which signs and switches are compared.
pub const STEPS: usize = 48;
/// The precision in which a place is located. Unit: bits.
const BITS: u32 = 120;
/// Enough for a sign.
const MIN_BITS: u32 = 2;
/// The most places at which one switch changes along one line.
const CHANGES: usize = 4;

/// A switch of a formula: which of its sides an input is on.
pub struct Switch {
    /// The nodes that decide it.
    of: [NodeId; 2],
    key: fn(&Float, &Float) -> Float,
    /// What happens where it goes over.
    pub what: String,
}

fn sign(a: &Float, _: &Float) -> Float {
    if a.is_zero() { Float::new(MIN_BITS) } else { Float::with_val(MIN_BITS, a.clone().signum()) }
}

fn order(a: &Float, b: &Float) -> Float {
    sign(&Float::with_val(BITS, a - b), a)
}

fn own(a: &Float, _: &Float) -> Float {
    a.clone()
}

fn whole_quotient(a: &Float, b: &Float) -> Float {
    Float::with_val(BITS, a / b).trunc()
}

fn near_quotient(a: &Float, b: &Float) -> Float {
    Float::with_val(BITS, a / b).round_even()
}

/// Which of two nodes is larger, or neither.
pub fn comparison(of: [NodeId; 2]) -> Switch {
    Switch { of, key: order, what: "two sides of a comparison are equal".into() }
}

/// Whether a node is positive, negative or neither.
pub fn sign_of(node: NodeId) -> Switch {
    Switch { of: [node, node], key: sign, what: "a sign changes".into() }
}

/// The switches of a formula; first whether it is positive.
pub fn switches(tape: &Tape, f: NodeId, live: &[bool]) -> Vec<Switch> {
    let mut list: Vec<Switch> = vec![Switch { of: [f, f], key: sign, what: "f changes its sign".into() }];
    for (i, node) in tape.nodes().iter().enumerate().filter(|(i, _)| live[*i]) {
        let this = NodeId(i as u32);
        let mut add =
            |of: [NodeId; 2], key: fn(&Float, &Float) -> Float, what: String| list.push(Switch { of, key, what });
        match *node {
            TapeNode::Op(op @ (Op::Fabs | Op::Copysign), args) => {
                let of = if op == Op::Fabs { args[0] } else { args[1] };
                add([of, of], sign, format!("the argument of {} changes its sign", op.name()));
            }
            TapeNode::Op(op @ (Op::Fmin | Op::Fmax | Op::Fdim), [a, b, ..]) => {
                add([a, b], order, format!("{} goes over to its other argument", op.name()));
            }
            TapeNode::Op(op @ (Op::Floor | Op::Ceil | Op::Round | Op::Nearbyint | Op::Trunc), _) => {
                add([this, this], own, format!("{} goes to another whole number", op.name()));
            }
            TapeNode::Op(op @ Op::Fmod, [a, b, ..]) => {
                add([a, b], whole_quotient, format!("the quotient of {} goes to another whole number", op.name()));
            }
            TapeNode::Op(op @ Op::Remainder, [a, b, ..]) => {
                add([a, b], near_quotient, format!("the quotient of {} goes to another whole number", op.name()));
            }
            TapeNode::If(c, ..) => add([c, c], own, "a condition goes from one branch to the other".into()),
            _ => {}
        }
    }
    list
}

/// Values of a format from `lo` to `hi`: evenly by number, and by ordinal.
pub fn steps(lo: f64, hi: f64, format: Format) -> Vec<f64> {
    let mut xs = Vec::new();
    let (a, b) = (rank(lo), rank(hi));
    for k in 0..=STEPS {
        let t = k as f64 / STEPS as f64;
        xs.push(lo * (1.0 - t) + hi * t);
        let n = i128::from(a) + (i128::from(b) - i128::from(a)) * k as i128 / STEPS as i128;
        xs.push(from_rank(i64::try_from(n).unwrap_or(a)));
    }
    let mut xs: Vec<f64> = xs.into_iter().map(|x| format.nearest(x).clamp(lo, hi) + 0.0).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    xs
}

/// Evaluates along a line.
pub struct Line<'t> {
    tape: &'t Tape,
    point: Vec<[f64; 1]>,
    input: usize,
    values: Vec<[f64; 1]>,
}

impl<'t> Line<'t> {
    /// The line through a point on which one input moves.
    pub fn new(tape: &'t Tape, through: &[f64], input: usize) -> Self {
        Line { tape, point: through.iter().map(|x| [*x]).collect(), input, values: Vec::new() }
    }

    /// The value of a node where the input is `x`.
    pub fn value(&mut self, node: NodeId, x: f64) -> f64 {
        self.go(x);
        self.values[node.index()][0]
    }

    /// For each switch the places between neighbours of `xs` where it goes over, four at most: two neighbours of
    /// the format, the first on the side from which the line comes.
    pub fn changes(&mut self, switches: &[Switch], xs: &[f64], format: Format) -> Vec<Vec<Bracket<f64>>> {
        // keys[c][k]: on which side of switch c step k is.
        let mut keys: Vec<Vec<Float>> = vec![Vec::new(); switches.len()];
        for x in xs {
            self.go(*x);
            for (switch, keys) in switches.iter().zip(&mut keys) {
                keys.push(self.key(switch));
            }
        }
        let places = |(switch, keys): (&Switch, &Vec<Float>)| {
            let differs = |k: &usize| keys[*k] != keys[k + 1] && !keys[*k].is_nan() && !keys[k + 1].is_nan();
            let steps = (0..xs.len().saturating_sub(1)).filter(differs).take(CHANGES);
            let ends = |k: usize| Bracket { before: xs[k], after: xs[k + 1] };
            steps.filter_map(|k| halve(self, switch, format, ends(k))).collect()
        };
        switches.iter().zip(&keys).map(places).collect()
    }

    fn go(&mut self, x: f64) {
        self.point[self.input] = [x];
        evaluate(self.tape, &mut Points { inputs: &self.point }, &mut self.values);
    }

    fn key(&self, switch: &Switch) -> Float {
        let [a, b] = switch.of.map(|n| Float::with_val(53, self.values[n.index()][0]));
        (switch.key)(&a, &b)
    }

    /// The same in multiple precision: a literal such as 1.7 is no binary64 number, and the side of the one next to it
    /// is that of the real number.
    fn exact_key(&self, switch: &Switch, x: f64) -> Float {
        let at = |(i, [v]): (usize, &[f64; 1])| if i == self.input { x } else { *v };
        let point: Vec<f64> = self.point.iter().enumerate().map(at).collect();
        if let Some(key) = self.enclosed_key(switch, &point) {
            return key;
        }
        let inputs: Vec<MpInterval> = point.iter().map(|x| MpInterval::from_f64(*x, BITS)).collect();
        let mut values = Vec::new();
        evaluate(self.tape, &mut Multi { inputs: &inputs, precision: BITS }, &mut values);
        let [a, b] = switch.of.map(|n| &values[n.index()].lo);
        (switch.key)(a, b)
    }

    /// The same where enclosures in binary64 settle it. A key changes in one direction with each of its operands, but for a
    /// quotient around a divisor of 0: where it is the same at the ends of both, it is the same between them.
    fn enclosed_key(&self, switch: &Switch, point: &[f64]) -> Option<Float> {
        let inputs: Vec<Interval> = point.iter().map(|x| Interval::point(*x)).collect();
        let mut values = Vec::new();
        evaluate(self.tape, &mut Boxes { inputs: &inputs }, &mut values);
        let [a, b] = switch.of.map(|n| values[n.index()]);
        if !a.def.is_true() || !b.def.is_true() || (b.x.contains(0.0) && !b.x.is_point()) {
            return None;
        }
        let ends = |x: Interval| [x.inf(), x.sup()].map(|end| Float::with_val(53, end));
        let ([first, last], of_b) = (ends(a.x), ends(b.x));
        let key = (switch.key)(&first, &of_b[0]);
        let mut corners = [&first, &last].into_iter().flat_map(|a| of_b.iter().map(move |b| (a, b)));
        corners.all(|(a, b)| (switch.key)(a, b) == key).then_some(key)
    }
}

/// Two neighbours of the format between `a` and `b`, the first on `a`'s side of a switch and the second not; none where
/// that looked so in binary64 only.
fn halve(at: &Line<'_>, switch: &Switch, format: Format, ends: Bracket<f64>) -> Option<Bracket<f64>> {
    let side = at.exact_key(switch, ends.before);
    let is_before = |x: &f64| at.exact_key(switch, *x) == side;
    (!is_before(&ends.after)).then(|| ends.bisect(u32::MAX, |a, b| between(format, *a, *b), |x| Some(is_before(x))))
}

/// A value of the format between two others, if there is one.
fn between(format: Format, a: f64, b: f64) -> Option<f64> {
    let inside = |x: &f64| a < *x && *x < b;
    // The middle by ordinals of binary64 may be beyond the format's smallest numbers: then the middle number.
    let middles = [middle_float(a, b), a / 2.0 + b / 2.0].map(|x| format.nearest(x) + 0.0);
    middles.into_iter().find(inside).or_else(|| format.next_up(a).filter(inside))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever half is kept, few steps lead to neighbours.
    #[test]
    fn halving_ends_soon() {
        let ends = [(-1e7, 0.0), (0.0, 1e30), (-1e30, 1e-30), (-1.0, 2.0), (0.0, 1e-40), (5.0, 5.1), (1e-45, 1.0)];
        for format in [Format::BINARY64, Format::BINARY32, Format::BINARY16, Format::BFLOAT16] {
            for (lo, hi) in ends.map(|(lo, hi)| (format.nearest(lo) + 0.0, format.nearest(hi) + 0.0)) {
                for keep in [[true, true], [false, false], [true, false]] {
                    let (mut a, mut b, mut steps) = (lo, hi, 0);
                    while let Some(middle) = between(format, a, b) {
                        if keep[steps % 2] {
                            a = middle
                        } else {
                            b = middle
                        }
                        steps += 1;
                        assert!(steps < 2000, "{format:?} from {lo} to {hi}: at {a} and {b}");
                    }
                    assert!(a >= b || format.next_up(a) == Some(b), "{format:?}: {a} and {b}");
                }
            }
        }
    }
}
