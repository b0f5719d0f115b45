//! The relative difference of two expressions, with common factors cancelled before evaluation.

use super::{difference, same_operator, terms};
use crate::num::Rational;
use crate::ops::Op;
use crate::tape::builder::Builder;
use crate::tape::node::{NodeId, TapeNode};
use std::collections::BTreeMap;

/// Powers up to this one are factored.
const MAX_POWER: u32 = 8;

/// A node that equals `(f - g) / f` wherever it is defined and f is not 0. Where a common factor was cancelled, f = g = 0
/// at its zeros; anywhere else at which f is 0 the node is undefined.
pub fn relative_difference(b: &mut Builder, f: NodeId, g: NodeId) -> NodeId {
    if f == g {
        return b.rational(Rational::new());
    }
    nested(b, f, g).or_else(|| by_operator(b, f, g)).unwrap_or_else(|| quotient(b, f, g))
}

/// Where one is the other times or over something: (f - f c) / f = 1 - c, (f - f / c) / f = (c - 1) / c, and the other
/// way round (g c - g) / (g c) = (c - 1) / c, (g / c - g) / (g / c) = 1 - c.
fn nested(b: &mut Builder, f: NodeId, g: NodeId) -> Option<NodeId> {
    if let Some(near) = near_identity(b, f, g) {
        return Some(near);
    }
    let factor = |whole: NodeId, part: NodeId| match b.tape().node(whole) {
        TapeNode::Op(Op::Mul, [x, y, _]) if x == part => Some((y, true)),
        TapeNode::Op(Op::Mul, [x, y, _]) if y == part => Some((x, true)),
        TapeNode::Op(Op::Div, [x, y, _]) if x == part => Some((y, false)),
        _ => None,
    };
    let (c, product) = match factor(g, f) {
        Some((c, times)) => (c, times),
        None => factor(f, g).map(|(c, times)| (c, !times))?,
    };
    let one = b.rational(1.into());
    if product {
        return Some(difference(b, one, c));
    }
    let top = difference(b, c, one);
    Some(b.op(Op::Div, &[top, c]))
}

/// (u - h(u)) / u and (h(u) - u) / h(u) for a function h that is nearly the identity: u - h(u) = u^n theta.
fn near_identity(b: &mut Builder, f: NodeId, g: NodeId) -> Option<NodeId> {
    let applied = |b: &Builder, whole: NodeId, part: NodeId| match b.tape().node(whole) {
        TapeNode::Op(op, [x, ..]) if op.arity() == 1 && x == part => Some(op),
        _ => None,
    };
    let (op, u, turned) = match applied(b, g, f) {
        Some(op) => (op, f, false),
        None => (applied(b, f, g)?, g, true),
    };
    let (power, theta) = b.taylor_rest(op, u)?;
    let power = b.rational((power - 1).into());
    let power = b.op(Op::Pow, &[u, power]);
    let share = b.op(Op::Mul, &[power, theta]);
    if !turned {
        return Some(share);
    }
    let one = b.rational(1.into());
    let rest = b.op(Op::Sub, &[one, share]);
    let share = b.op(Op::Neg, &[share]);
    Some(b.op(Op::Div, &[share, rest]))
}

fn by_operator(b: &mut Builder, f: NodeId, g: NodeId) -> Option<NodeId> {
    let (TapeNode::Op(p, x), TapeNode::Op(q, y)) = (b.tape().node(f), b.tape().node(g)) else { return None };
    if p != q {
        return None;
    }
    match p {
        Op::Neg => Some(relative_difference(b, x[0], y[0])),
        Op::Mul => {
            let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
            if let Some((i, j)) = pairs.into_iter().find(|(i, j)| x[*i] == y[*j]) {
                return Some(relative_difference(b, x[1 - i], y[1 - j]));
            }
            // 1 - (1 - r) (1 - s) = r + s - r s
            let crossed = same_operator(b, x[0], y[1]) && !same_operator(b, x[0], y[0]);
            let y = if crossed { [y[1], y[0]] } else { [y[0], y[1]] };
            let (r, s) = (relative_difference(b, x[0], y[0]), relative_difference(b, x[1], y[1]));
            let (sum, product) = (b.op(Op::Add, &[r, s]), b.op(Op::Mul, &[r, s]));
            Some(b.op(Op::Sub, &[sum, product]))
        }
        Op::Div if x[1] == y[1] => Some(relative_difference(b, x[0], y[0])),
        // 1 - (a/e) / (a/c) = (e - c) / e
        Op::Div if x[0] == y[0] => Some(relative_difference(b, y[1], x[1])),
        // 1 - (1 - r) / (1 - s) = (r - s) / (1 - s)
        Op::Div => {
            let (r, s) = (relative_difference(b, x[0], y[0]), relative_difference(b, x[1], y[1]));
            let one = b.rational(1.into());
            let (top, bottom) = (b.op(Op::Sub, &[r, s]), b.op(Op::Sub, &[one, s]));
            Some(b.op(Op::Div, &[top, bottom]))
        }
        // 1 - e^d / e^a = -(e^(d-a) - 1)
        Op::Exp => {
            let delta = difference(b, y[0], x[0]);
            let grown = b.op(Op::Expm1, &[delta]);
            Some(b.op(Op::Neg, &[grown]))
        }
        // 1 - sqrt(d/a) = r / (1 + sqrt(1 - r)) with r = (a - d) / a
        Op::Sqrt => {
            let r = relative_difference(b, x[0], y[0]);
            let one = b.rational(1.into());
            let rest = b.op(Op::Sub, &[one, r]);
            let root = b.op(Op::Sqrt, &[rest]);
            let bottom = b.op(Op::Add, &[one, root]);
            Some(b.op(Op::Div, &[r, bottom]))
        }
        // 1 - (d/a)^n = r (1 + s + … + s^(n-1)) with s = 1 - r
        Op::Pow if x[1] == y[1] && b.tape().rational(x[1]).is_some_and(|n| n.is_integer()) => {
            let n = b.tape().rational(x[1]).filter(|n| n.is_integer())?.numer().to_u32().filter(|n| *n <= MAX_POWER)?;
            let r = relative_difference(b, x[0], y[0]);
            let one = b.rational(1.into());
            let s = b.op(Op::Sub, &[one, r]);
            let mut sum = b.rational(Rational::new());
            for k in 0..n {
                let k = b.rational(k.into());
                let power = b.op(Op::Pow, &[s, k]);
                sum = b.op(Op::Add, &[sum, power]);
            }
            Some(b.op(Op::Mul, &[r, sum]))
        }
        // 1 - d^e / a^c = -(exp(e log d - c log a) - 1), with log(d / a) = log1p(-(a - d) / a)
        Op::Pow => {
            let r = relative_difference(b, x[0], y[0]);
            let r = b.op(Op::Neg, &[r]);
            let ratio = b.op(Op::Log1p, &[r]);
            let first = b.op(Op::Mul, &[y[1], ratio]);
            let (shift, log) = (difference(b, y[1], x[1]), b.op(Op::Log, &[x[0]]));
            let second = b.op(Op::Mul, &[shift, log]);
            let exponent = b.op(Op::Add, &[first, second]);
            let grown = b.op(Op::Expm1, &[exponent]);
            Some(b.op(Op::Neg, &[grown]))
        }
        _ => None,
    }
}

/// `(f - g) / f` with the factors cancelled that all terms of both have.
fn quotient(b: &mut Builder, f: NodeId, g: NodeId) -> NodeId {
    let d = difference(b, f, g);
    let (mut top, mut bottom) = (Factored::new(b, d), Factored::new(b, f));
    bottom.open_near_identities(b, &top.content);
    for (id, n) in &mut top.content {
        if let Some(m) = bottom.content.get_mut(id) {
            let common = (*n).min(*m);
            *n -= common;
            *m -= common;
        }
    }
    let (top, bottom) = (top.node(b), bottom.node(b));
    b.op(Op::Div, &[top, bottom])
}

type Monomial = BTreeMap<NodeId, u32>;

/// A sum of terms with the factors that all of them have taken out.
struct Factored {
    content: Monomial,
    terms: Vec<(Rational, Monomial)>,
}

impl Factored {
    fn new(b: &mut Builder, root: NodeId) -> Self {
        let sum = terms(b, root);
        let mut terms: Vec<(Rational, Monomial)> = sum.into_iter().map(|(id, c)| (c, factors(b, id))).collect();
        let mut content = terms.first().map(|(_, m)| m.clone()).unwrap_or_default();
        for (_, m) in &terms {
            content.retain(|id, n| {
                *n = (*n).min(m.get(id).copied().unwrap_or(0));
                *n > 0
            });
        }
        for (_, m) in &mut terms {
            for (id, n) in &content {
                if let Some(have) = m.get_mut(id) {
                    *have -= n;
                }
            }
        }
        Factored { content, terms }
    }

    /// h(u) as u (1 - u^n theta) for a function that is nearly the identity, where u is a factor of the other side.
    fn open_near_identities(&mut self, b: &mut Builder, other: &Monomial) {
        for (id, n) in self.content.clone() {
            let TapeNode::Op(op, [u, ..]) = b.tape().node(id) else { continue };
            if op.arity() != 1 || !other.contains_key(&u) {
                continue;
            }
            let Some((power, theta)) = b.taylor_rest(op, u) else { continue };
            let (one, power) = (b.rational(1.into()), b.rational((power - 1).into()));
            let power = b.op(Op::Pow, &[u, power]);
            let share = b.op(Op::Mul, &[power, theta]);
            let rest = b.op(Op::Sub, &[one, share]);
            self.content.remove(&id);
            *self.content.entry(u).or_default() += n;
            *self.content.entry(rest).or_default() += n;
        }
    }

    fn node(&self, b: &mut Builder) -> NodeId {
        let mut sum = b.rational(Rational::new());
        for (c, m) in &self.terms {
            let c = b.rational(c.clone());
            let m = monomial(b, m);
            let term = b.op(Op::Mul, &[c, m]);
            sum = b.op(Op::Add, &[sum, term]);
        }
        let content = monomial(b, &self.content);
        b.op(Op::Mul, &[content, sum])
    }
}

fn monomial(b: &mut Builder, m: &Monomial) -> NodeId {
    let mut product = b.rational(1.into());
    for (&id, &n) in m.iter().filter(|(_, n)| **n > 0) {
        let n = b.rational(n.into());
        let power = b.op(Op::Pow, &[id, n]);
        product = b.op(Op::Mul, &[product, power]);
    }
    product
}

/// A term as a product of powers of nodes.
fn factors(b: &Builder, root: NodeId) -> Monomial {
    let mut m = Monomial::new();
    let mut open = vec![(root, 1)];
    while let Some((id, n)) = open.pop() {
        match b.tape().node(id) {
            TapeNode::Op(Op::Mul, [x, y, _]) => open.extend([(x, n), (y, n)]),
            TapeNode::Op(Op::Pow, [x, k, _]) => {
                let power = b.tape().rational(k).filter(|k| k.is_integer() && **k >= 1);
                match power.and_then(|k| k.numer().to_u32()).and_then(|k| k.checked_mul(n)) {
                    Some(k) => open.push((x, k)),
                    None => *m.entry(id).or_default() += n,
                }
            }
            _ => *m.entry(id).or_default() += n,
        }
    }
    // A factor 1 is none.
    m.retain(|id, _| b.tape().rational(*id).is_none_or(|r| *r != 1));
    m
}

#[cfg(test)]
mod tests {
    use super::*;

    /// a c and d c, with the factor in common at any place.
    #[test]
    fn a_factor_in_common_does_not_matter() {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut b = Builder::new(3);
            let inputs = [b.var(0), b.var(1), b.var(2)];
            let [a, c, d] = order.map(|k| inputs[k]);
            let (f, g) = (b.op(Op::Mul, &[a, c]), b.op(Op::Mul, &[d, c]));
            assert_eq!(relative_difference(&mut b, f, g), relative_difference(&mut b, a, d));
        }
    }
}
