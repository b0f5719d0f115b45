//! The difference of two expressions with what they share cancelled before evaluation.
//!
//! Specification and mutant are equal but for one place, so that `f - g` evaluated as written loses everything that
//! matters. Where both have the same operator on top, the difference of the results follows from the difference of
//! the operands: (a c) - (b c) = (a - b) c, sqrt a - sqrt b = (a - b) / (sqrt a + sqrt b), and so on down to the place
//! of the change.

pub mod relative;

use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::tape::builder::Builder;
use crate::tape::node::{ConstValue, NodeId, TapeNode};
use relative::relative_difference;
use std::collections::BTreeMap;

/// Powers up to this one are factored.
const MAX_POWER: u32 = 8;

/// How many parts of sums are opened for all differences of one tape; those after them stay as they are written. The rounds of a
/// loop that may end after each are compared with each other.
const MOST_TERMS: usize = 1 << 16;

/// How many pairs of choices with conditions of their own are taken apart for all differences of one tape.
const MOST_CROSSED: usize = 1 << 8;

/// A node that equals `f - g` at every point where both are defined and the node itself is. The node may be undefined
/// at a point where both are (such as 0 of `sqrt x - sqrt (2 x)`), so its own definedness must be looked at.
pub fn difference(b: &mut Builder, f: NodeId, g: NodeId) -> NodeId {
    if f == g {
        return b.rational(Rational::new());
    }
    if let Some(&known) = b.differences.get(&(f, g)) {
        return known;
    }
    let d = if b.opened_terms > MOST_TERMS { b.op(Op::Sub, &[f, g]) } else { opened(b, f, g) };
    b.differences.insert((f, g), d);
    d
}

fn opened(b: &mut Builder, f: NodeId, g: NodeId) -> NodeId {
    if let Some(d) = nested(b, f, g) {
        return d;
    }
    if let Some(d) = nested(b, g, f) {
        return b.op(Op::Neg, &[d]);
    }
    let (mut left, mut right) = (terms(b, f), terms(b, g));
    // A sum is none of its own terms.
    if left.keys().next() != Some(&f) || right.keys().next() != Some(&g) {
        cancel(&mut left, &mut right);
        return sum_of_differences(b, left, right);
    }
    one(b, f, g)
}

/// `f - g` where g applies one more operator to f: f - f c = f (1 - c), f - f / c = f (c - 1) / c,
/// f - min(f, c) = max(0, f - c), f - max(f, c) = min(0, f - c).
fn nested(b: &mut Builder, f: NodeId, g: NodeId) -> Option<NodeId> {
    let TapeNode::Op(op, [x, y, _]) = b.tape().node(g) else { return None };
    let commutes = matches!(op, Op::Mul | Op::Fmin | Op::Fmax);
    let c = if x == f {
        y
    } else if y == f && commutes {
        x
    } else {
        return None;
    };
    match op {
        Op::Mul => {
            let one = b.rational(1.into());
            let rest = difference(b, one, c);
            Some(b.op(Op::Mul, &[f, rest]))
        }
        Op::Div => {
            let one = b.rational(1.into());
            let rest = difference(b, c, one);
            let rest = b.op(Op::Div, &[rest, c]);
            Some(b.op(Op::Mul, &[f, rest]))
        }
        _ if op.arity() == 1 => {
            let (power, theta) = b.taylor_rest(op, f)?;
            let power = b.rational(power.into());
            let power = b.op(Op::Pow, &[f, power]);
            Some(b.op(Op::Mul, &[power, theta]))
        }
        Op::Fmin | Op::Fmax => {
            let (zero, beyond) = (b.rational(0.into()), difference(b, f, c));
            Some(b.op(if op == Op::Fmin { Op::Fmax } else { Op::Fmin }, &[zero, beyond]))
        }
        _ => None,
    }
}

/// The expression as a sum of nodes with rational coefficients, sums and products by constants opened.
pub(super) fn terms(b: &mut Builder, root: NodeId) -> BTreeMap<NodeId, Rational> {
    let mut sum = BTreeMap::new();
    // Each node once, after all that use it: what one round of a loop makes of the last one is used several times in the next.
    let mut parts = BTreeMap::from([(root, Rational::from(1))]);
    let mut opened = 0;
    while let Some((id, c)) = parts.pop_last() {
        if c == 0 {
            continue;
        }
        opened += 1;
        let mut open = |x: NodeId, c: Rational| *parts.entry(x).or_default() += c;
        match b.tape().node(id) {
            TapeNode::Op(Op::Add, [x, y, _]) => {
                open(x, c.clone());
                open(y, c);
            }
            TapeNode::Op(Op::Sub, [x, y, _]) => {
                open(x, c.clone());
                open(y, -c);
            }
            TapeNode::Op(Op::Neg, [x, ..]) => open(x, -c),
            // e^x - 1 cancels against e^x.
            TapeNode::Op(Op::Expm1, [x, ..]) => {
                let (exp, one) = (b.op(Op::Exp, &[x]), b.rational(1.into()));
                *sum.entry(exp).or_default() += c.clone();
                *sum.entry(one).or_default() -= c;
            }
            TapeNode::Op(Op::Mul, [x, y, _]) => match (b.tape().rational(x), b.tape().rational(y)) {
                (Some(k), _) => open(y, c * k),
                (_, Some(k)) => open(x, c * k),
                _ => *sum.entry(id).or_default() += c,
            },
            TapeNode::Op(Op::Div, [x, y, _]) => match b.tape().rational(y) {
                Some(k) if *k != 0 => open(x, c / k),
                _ => *sum.entry(id).or_default() += c,
            },
            _ => match b.tape().rational(id) {
                Some(k) => {
                    let k = Rational::from(&c * k);
                    let one = b.rational(1.into());
                    *sum.entry(one).or_default() += k;
                }
                None => *sum.entry(id).or_default() += c,
            },
        }
    }
    b.opened_terms += opened;
    sum.retain(|_, c| *c != 0);
    sum
}

/// Remove what both sums have in common.
fn cancel(left: &mut BTreeMap<NodeId, Rational>, right: &mut BTreeMap<NodeId, Rational>) {
    for (id, c) in left.iter_mut() {
        if let Some(r) = right.remove(id) {
            *c -= r;
        }
    }
    left.retain(|_, c| *c != 0);
}

/// The difference of two sums without common terms: terms with opposite coefficients are paired.
fn sum_of_differences(b: &mut Builder, left: BTreeMap<NodeId, Rational>, right: BTreeMap<NodeId, Rational>) -> NodeId {
    let mut rest: Vec<(NodeId, Rational)> = left.into_iter().collect();
    rest.extend(right.into_iter().map(|(id, c)| (id, -c)));
    let mut sum = near_identities(b, &mut rest);
    while !rest.is_empty() {
        let (id, c) = rest.remove(0);
        if let Some((i, term)) = with_a_multiple(b, (id, &c), &rest) {
            rest.remove(i);
            sum = b.op(Op::Add, &[sum, term]);
            continue;
        }
        let minus = Rational::from(-&c);
        let partner = rest.iter().position(|(other, k)| *k == minus && alike(b, id, *other));
        let part = match partner {
            Some(i) => {
                let (other, _) = rest.remove(i);
                one(b, id, other)
            }
            None => id,
        };
        let c = b.rational(c);
        let term = b.op(Op::Mul, &[c, part]);
        sum = b.op(Op::Add, &[sum, term]);
    }
    sum
}

/// The parts k h(u) - k u of a sum, h being nearly the identity on the domain, and k h(u) less more terms of the Taylor
/// series of h. They are taken out.
fn near_identities(b: &mut Builder, rest: &mut Vec<(NodeId, Rational)>) -> NodeId {
    let mut sum = b.rational(Rational::new());
    for (id, k) in rest.clone() {
        let TapeNode::Op(op, [u, ..]) = b.tape().node(id) else { continue };
        if op.arity() != 1 || b.taylor_rest(op, u).is_none() {
            continue;
        }
        let power = |b: &mut Builder, n: u32| {
            let n = b.rational(n.into());
            b.op(Op::Pow, &[u, n])
        };
        let has = |b: &mut Builder, n: u32, a: &Rational| rest.contains(&(power(b, n), Rational::from(-&k) * a));
        if let Some((shared, n, theta)) = b.series(op, u, has).filter(|_| rest.contains(&(id, k.clone()))) {
            let shared: Vec<NodeId> = shared.into_iter().map(|n| power(b, n)).collect();
            rest.retain(|(t, _)| *t != id && !shared.contains(t));
            let (k, top) = (b.rational(k), power(b, n));
            let term = b.op(Op::Mul, &[top, theta]);
            let term = b.op(Op::Mul, &[k, term]);
            sum = b.op(Op::Add, &[sum, term]);
            continue;
        }
        let of_u = terms(b, u);
        let there = |(t, c): (&NodeId, &Rational)| rest.contains(&(*t, Rational::from(-&k) * c));
        // Itself too: an earlier part may have taken it.
        if of_u.is_empty() || !rest.contains(&(id, k.clone())) || !of_u.iter().all(there) {
            continue;
        }
        rest.retain(|(t, _)| *t != id && !of_u.contains_key(t));
        let (minus_k, part) = (b.rational(-k), difference(b, u, id));
        let term = b.op(Op::Mul, &[minus_k, part]);
        sum = b.op(Op::Add, &[sum, term]);
    }
    sum
}

/// c x + k (x y) = x (c - (-k) y), where that is more than it seems: y a function of the number c / -k. The place of the
/// second term, and the sum.
fn with_a_multiple(
    b: &mut Builder,
    (id, c): (NodeId, &Rational),
    rest: &[(NodeId, Rational)],
) -> Option<(usize, NodeId)> {
    let cofactor = |b: &Builder, product: NodeId, x: NodeId| match b.tape().node(product) {
        TapeNode::Op(Op::Mul, [p, q, _]) if p == x => Some(q),
        TapeNode::Op(Op::Mul, [p, q, _]) if q == x => Some(p),
        _ => None,
    };
    for (i, (other, k)) in rest.iter().enumerate() {
        let (x, y, c, k) = if let Some(y) = cofactor(b, *other, id) {
            (id, y, c.clone(), k.clone())
        } else if let Some(y) = cofactor(b, id, *other) {
            (*other, y, k.clone(), c.clone())
        } else {
            continue;
        };
        let number = b.rational(c / -k.clone());
        if !alike(b, number, y) {
            continue;
        }
        let (k, inner) = (b.rational(-k), difference(b, number, y));
        let inner = b.op(Op::Mul, &[k, inner]);
        return Some((i, b.op(Op::Mul, &[x, inner])));
    }
    None
}

/// Whether both are logarithms in the same base.
fn same_log(p: Op, q: Op) -> bool {
    let natural = |op| matches!(op, Op::Log | Op::Log1p);
    natural(p) && natural(q) || p == q && matches!(p, Op::Log2 | Op::Log10)
}

/// Whether the difference of two terms is more than their difference as written.
fn alike(b: &Builder, f: NodeId, g: NodeId) -> bool {
    let within = |f: NodeId, g: NodeId| match b.tape().node(g) {
        TapeNode::Op(Op::Mul | Op::Fmin | Op::Fmax, [x, y, _]) => x == f || y == f,
        TapeNode::Op(Op::Div, [x, ..]) => x == f,
        TapeNode::Op(op, [x, ..]) => op.arity() == 1 && x == f,
        _ => false,
    };
    same_operator(b, f, g) || within(f, g) || within(g, f)
}

/// Whether both have the same operator on top.
pub(super) fn same_operator(b: &Builder, f: NodeId, g: NodeId) -> bool {
    match (b.tape().node(f), b.tape().node(g)) {
        (TapeNode::Op(p, _), TapeNode::Op(q, _)) => p == q || same_log(p, q),
        (TapeNode::If(..), TapeNode::If(..)) => true,
        _ => false,
    }
}

/// The difference of two terms.
fn one(b: &mut Builder, f: NodeId, g: NodeId) -> NodeId {
    if f == g {
        return b.rational(Rational::new());
    }
    if let Some(d) = nested(b, f, g) {
        return d;
    }
    let factored = match (b.tape().node(f), b.tape().node(g)) {
        (TapeNode::Op(p, x), TapeNode::Op(q, y)) if p == q && !same_log(p, q) => by_operator(b, p, (f, x), (g, y)),
        (TapeNode::Op(p, [a, ..]), TapeNode::Op(q, [d, ..])) if same_log(p, q) => Some(logarithms(b, (p, a), (q, d))),
        (TapeNode::If(c, t, e), TapeNode::If(d, u, v)) if c == d => {
            let (then, otherwise) = (difference(b, t, u), difference(b, e, v));
            Some(b.choose(c, then, otherwise))
        }
        // Where the conditions agree the branches are compared, elsewhere one with the other.
        (TapeNode::If(c, t, e), TapeNode::If(d, u, v)) if b.crossed_choices < MOST_CROSSED => {
            b.crossed_choices += 1;
            let [tu, tv, eu, ev] = [(t, u), (t, v), (e, u), (e, v)].map(|(x, y)| difference(b, x, y));
            let (then, otherwise) = (b.choose(d, tu, tv), b.choose(d, eu, ev));
            Some(b.choose(c, then, otherwise))
        }
        (TapeNode::If(c, t, e), other) if !matches!(other, TapeNode::If(..)) => {
            let (then, otherwise) = (difference(b, t, g), difference(b, e, g));
            Some(b.choose(c, then, otherwise))
        }
        (other, TapeNode::If(c, t, e)) if !matches!(other, TapeNode::If(..)) => {
            let (then, otherwise) = (difference(b, f, t), difference(b, f, e));
            Some(b.choose(c, then, otherwise))
        }
        _ => None,
    };
    if let Some(d) = factored {
        return d;
    }
    match nested(b, g, f) {
        Some(d) => b.op(Op::Neg, &[d]),
        None => b.op(Op::Sub, &[f, g]),
    }
}

type Applied = (NodeId, [NodeId; crate::ops::MAX_ARITY]);

fn by_operator(b: &mut Builder, op: Op, (f, x): Applied, (g, y): Applied) -> Option<NodeId> {
    let ([a, c, _], [d, e, _]) = (x, y);
    Some(match op {
        Op::Mul => product(b, [a, c], [d, e]),
        Op::Div if c == e => {
            let top = difference(b, a, d);
            b.op(Op::Div, &[top, c])
        }
        // a/c - d/e = ((a - d) - (d/e) (c - e)) / c
        Op::Div => {
            let (top, bottom) = (difference(b, a, d), difference(b, c, e));
            let shift = b.op(Op::Mul, &[g, bottom]);
            let top = b.op(Op::Sub, &[top, shift]);
            b.op(Op::Div, &[top, c])
        }
        // A maximum or minimum with the same number moves by a share of what its operand moves.
        Op::Fmin | Op::Fmax => {
            let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
            let (i, j) = pairs.into_iter().find(|(i, j)| x[*i] == y[*j])?;
            let moved = difference(b, x[1 - i], y[1 - j]);
            let share = b.constant(ConstValue::Within(Rational::new(), 1.into()));
            b.op(Op::Mul, &[share, moved])
        }
        // So does an absolute value, either way.
        Op::Fabs => {
            let moved = difference(b, a, d);
            let share = b.constant(ConstValue::Within((-1).into(), 1.into()));
            b.op(Op::Mul, &[share, moved])
        }
        Op::Sqrt => {
            let top = difference(b, a, d);
            let bottom = b.op(Op::Add, &[f, g]);
            b.op(Op::Div, &[top, bottom])
        }
        // e^a - e^d = e^d (e^(a-d) - 1)
        Op::Exp => {
            let delta = difference(b, a, d);
            let grown = b.op(Op::Expm1, &[delta]);
            b.op(Op::Mul, &[g, grown])
        }
        // sin a - sin d = 2 cos((a+d)/2) sin((a-d)/2), cos a - cos d = -2 sin((a+d)/2) sin((a-d)/2)
        Op::Sin | Op::Cos => {
            let half = b.rational(Rational::from((1, 2)));
            let (sum, delta) = (b.op(Op::Add, &[a, d]), difference(b, a, d));
            let (mean, delta) = (b.op(Op::Mul, &[half, sum]), b.op(Op::Mul, &[half, delta]));
            let slope = b.op(if op == Op::Sin { Op::Cos } else { Op::Sin }, &[mean]);
            let chord = b.op(Op::Sin, &[delta]);
            let two = b.rational(if op == Op::Sin { 2 } else { -2 }.into());
            let product = b.op(Op::Mul, &[slope, chord]);
            b.op(Op::Mul, &[two, product])
        }
        // tan a - tan d = sin(a - d) / (cos a cos d)
        Op::Tan => {
            let delta = difference(b, a, d);
            let (top, p, q) = (b.op(Op::Sin, &[delta]), b.op(Op::Cos, &[a]), b.op(Op::Cos, &[d]));
            let bottom = b.op(Op::Mul, &[p, q]);
            b.op(Op::Div, &[top, bottom])
        }
        Op::Pow if c == e && b.tape().rational(c).is_some_and(|n| n.is_integer()) => {
            let n = b.tape().rational(c)?.numer().to_u32().filter(|n| *n <= MAX_POWER)?;
            power(b, a, d, n)
        }
        // f (f - g) / f
        Op::Pow => {
            let r = relative_difference(b, f, g);
            b.op(Op::Mul, &[f, r])
        }
        _ => return None,
    })
}

/// log a - log d = -log1p(-(a - d) / a) in either base, natural ones also written as log1p.
fn logarithms(b: &mut Builder, (p, a): (Op, NodeId), (q, d): (Op, NodeId)) -> NodeId {
    let one = b.rational(1.into());
    let a = if p == Op::Log1p { b.op(Op::Add, &[one, a]) } else { a };
    let d = if q == Op::Log1p { b.op(Op::Add, &[one, d]) } else { d };
    // The arguments are positive, so that the relative difference of the first is defined.
    let r = relative_difference(b, a, d);
    let r = b.op(Op::Neg, &[r]);
    let log = b.op(Op::Log1p, &[r]);
    let log = b.op(Op::Neg, &[log]);
    let scale = match p {
        Op::Log2 => b.named(Constant::Log2E),
        Op::Log10 => b.named(Constant::Log10E),
        _ => one,
    };
    b.op(Op::Mul, &[scale, log])
}

/// a c - d e, with a factor in common taken out.
fn product(b: &mut Builder, x: [NodeId; 2], y: [NodeId; 2]) -> NodeId {
    for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if x[i] == y[j] {
            let delta = difference(b, x[1 - i], y[1 - j]);
            return b.op(Op::Mul, &[x[i], delta]);
        }
    }
    let y = if same_operator(b, x[0], y[1]) && !same_operator(b, x[0], y[0]) { [y[1], y[0]] } else { y };
    let (first, second) = (difference(b, x[0], y[0]), difference(b, x[1], y[1]));
    let (left, right) = (b.op(Op::Mul, &[first, x[1]]), b.op(Op::Mul, &[y[0], second]));
    b.op(Op::Add, &[left, right])
}

/// a^n - d^n = (a - d) (a^(n-1) + a^(n-2) d + … + d^(n-1))
fn power(b: &mut Builder, a: NodeId, d: NodeId, n: u32) -> NodeId {
    let raised = |b: &mut Builder, x: NodeId, k: u32| {
        let k = b.rational(k.into());
        b.op(Op::Pow, &[x, k])
    };
    let mut sum = b.rational(Rational::new());
    for k in 0..n {
        let (p, q) = (raised(b, a, n - 1 - k), raised(b, d, k));
        let term = match (n - 1 - k, k) {
            (0, _) => q,
            (_, 0) => p,
            _ => b.op(Op::Mul, &[p, q]),
        };
        sum = b.op(Op::Add, &[sum, term]);
    }
    let delta = difference(b, a, d);
    b.op(Op::Mul, &[delta, sum])
}

#[cfg(test)]
mod tests;
