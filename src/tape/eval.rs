//! The forward walk over a tape, generic in what a value is: binary64, intervals, multiple precision, exact.

use super::node::{Const, ConstValue, NodeId, Tape, TapeNode};
use super::pi::{apply_to_pi, multiple_of_pi, order};
use crate::num::mpfr::Float;
use crate::num::{Interval, MpInterval, Rational, Ternary};
use crate::ops::{Exact, Op};
use std::cmp::Ordering;

/// How one kind of value is computed.
pub trait Domain {
    /// A value of a node. Truth values are the numbers 0 and 1 of the domain.
    type Value;
    /// The input with that index.
    fn input(&mut self, index: usize) -> Self::Value;
    /// A constant.
    fn constant(&mut self, c: &Const) -> Self::Value;
    /// A truth value.
    fn boolean(&mut self, b: bool) -> Self::Value;
    /// No value.
    fn undefined(&mut self) -> Self::Value;
    /// What is not known: a value or none.
    fn unknown(&mut self) -> Self::Value;
    /// No value where the condition surely holds; else what is not known. Where no value is as good as one that is not known, the
    /// condition need not be looked at.
    fn unknown_unless(&mut self, _has_none: &Self::Value) -> Self::Value {
        self.unknown()
    }
    /// An operator applied to its operands.
    fn apply(&mut self, op: Op, args: &[&Self::Value]) -> Self::Value;
    /// A comparison: `Less`, `Equal`, or both for "less or equal".
    fn compare(&mut self, relation: Relation, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `a and b`.
    fn and(&mut self, a: &Self::Value, b: &Self::Value) -> Self::Value;
    /// `not a`.
    fn not(&mut self, a: &Self::Value) -> Self::Value;
    /// `then` where the condition holds, `otherwise` where it does not.
    fn choose(&mut self, condition: &Self::Value, then: &Self::Value, otherwise: &Self::Value) -> Self::Value;
}

/// A domain at one input, where conditions mostly are decided.
pub trait Deciding: Domain {
    /// Whether a condition that surely has a truth value holds; unknown where it may have none.
    fn decide(&self, condition: &Self::Value) -> Ternary;
}

/// A comparison of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessEq,
    /// `==`
    Equal,
}

impl Relation {
    /// Whether it holds for numbers that compare so.
    #[must_use]
    pub fn holds(self, o: Ordering) -> bool {
        match self {
            Relation::Less => o == Ordering::Less,
            Relation::LessEq => o != Ordering::Greater,
            Relation::Equal => o == Ordering::Equal,
        }
    }

    /// What is known of it for two numbers, each between the two ends that are given for it.
    #[must_use]
    pub fn decide<T: PartialOrd>(self, [a_lo, a_hi]: [&T; 2], [b_lo, b_hi]: [&T; 2]) -> Ternary {
        match self {
            Relation::Less => Ternary::decide(a_hi < b_lo, a_lo >= b_hi),
            Relation::LessEq => Ternary::decide(a_hi <= b_lo, a_lo > b_hi),
            Relation::Equal => {
                Ternary::decide(a_lo == a_hi && b_lo == b_hi && a_lo == b_lo, a_hi < b_lo || b_hi < a_lo)
            }
        }
    }
}

/// Evaluate every node of `tape` in order into `values` (cleared first). Where only what some nodes need at an input
/// counts, see [`super::NeededValues`].
pub fn evaluate<D: Domain>(tape: &Tape, domain: &mut D, values: &mut Vec<D::Value>) {
    values.clear();
    values.reserve(tape.len());
    for &node in tape.nodes() {
        let v = step(tape, node, domain, |id| &values[id.index()]);
        values.push(v);
    }
}

/// The value of one node, its operands' values given by `of`.
#[inline]
pub fn step<'v, D: Domain>(tape: &Tape, node: TapeNode, domain: &mut D, of: impl Fn(NodeId) -> &'v D::Value) -> D::Value
where
    D::Value: 'v,
{
    match node {
        TapeNode::Var(i) => domain.input(i as usize),
        TapeNode::Const(c) => domain.constant(tape.constant(c)),
        TapeNode::Bool(b) => domain.boolean(b),
        TapeNode::Undefined => domain.undefined(),
        TapeNode::Unknown(_, has_none) => domain.unknown_unless(of(has_none)),
        TapeNode::Op(op, [a, b, c]) => match op.arity() {
            1 => domain.apply(op, &[of(a)]),
            2 => domain.apply(op, &[of(a), of(b)]),
            _ => domain.apply(op, &[of(a), of(b), of(c)]),
        },
        TapeNode::Less(a, b) => domain.compare(Relation::Less, of(a), of(b)),
        TapeNode::LessEq(a, b) => domain.compare(Relation::LessEq, of(a), of(b)),
        TapeNode::Equal(a, b) => domain.compare(Relation::Equal, of(a), of(b)),
        TapeNode::And(a, b) => domain.and(of(a), of(b)),
        TapeNode::Or(a, b) => {
            let (na, nb) = (domain.not(of(a)), domain.not(of(b)));
            let neither = domain.and(&na, &nb);
            domain.not(&neither)
        }
        TapeNode::Not(a) => domain.not(of(a)),
        TapeNode::If(c, t, e) => domain.choose(of(c), of(t), of(e)),
    }
}

/// Binary64 at several points at once: fast, not rigorous, NaN where there is no value.
pub struct Points<'a, const L: usize> {
    /// For every input, its value at each of the points.
    pub inputs: &'a [[f64; L]],
}

impl<const L: usize> Domain for Points<'_, L> {
    type Value = [f64; L];
    fn input(&mut self, index: usize) -> [f64; L] {
        self.inputs[index]
    }
    fn constant(&mut self, c: &Const) -> [f64; L] {
        [c.approx; L]
    }
    fn boolean(&mut self, b: bool) -> [f64; L] {
        [f64::from(u8::from(b)); L]
    }
    fn undefined(&mut self) -> [f64; L] {
        [f64::NAN; L]
    }
    fn unknown(&mut self) -> [f64; L] {
        [f64::NAN; L]
    }
    #[inline]
    fn apply(&mut self, op: Op, args: &[&[f64; L]]) -> [f64; L] {
        // Plain loops for what the compiler can vectorise.
        match (op, args) {
            (Op::Add, [a, b]) => std::array::from_fn(|i| a[i] + b[i]),
            (Op::Sub, [a, b]) => std::array::from_fn(|i| a[i] - b[i]),
            (Op::Mul, [a, b]) => std::array::from_fn(|i| a[i] * b[i]),
            (_, [a]) => std::array::from_fn(|i| op.point(&[a[i]])),
            (_, [a, b]) => std::array::from_fn(|i| op.point(&[a[i], b[i]])),
            (_, [a, b, c]) => std::array::from_fn(|i| op.point(&[a[i], b[i], c[i]])),
            _ => [f64::NAN; L],
        }
    }
    fn compare(&mut self, relation: Relation, a: &[f64; L], b: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| a[i].partial_cmp(&b[i]).map_or(f64::NAN, |o| f64::from(u8::from(relation.holds(o)))))
    }
    fn and(&mut self, a: &[f64; L], b: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| a[i] * b[i])
    }
    fn not(&mut self, a: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| 1.0 - a[i])
    }
    fn choose(&mut self, c: &[f64; L], t: &[f64; L], e: &[f64; L]) -> [f64; L] {
        std::array::from_fn(|i| {
            if c[i] == 1.0 {
                t[i]
            } else if c[i] == 0.0 {
                e[i]
            } else {
                f64::NAN
            }
        })
    }
}

impl<const L: usize> Deciding for Points<'_, L> {
    fn decide(&self, condition: &[f64; L]) -> Ternary {
        // Where the condition has no value, neither branch matters.
        if condition.iter().all(|c| *c != 0.0) {
            Ternary::True
        } else {
            Ternary::decide(false, condition.iter().all(|c| *c != 1.0))
        }
    }
}

/// An enclosure of the values over a box, with what is known of definedness over it. `x` is empty if and only if
/// `def` is `False`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    /// Contains every value that the node takes on the box.
    pub x: Interval,
    /// Whether the node has a value on all of the box, on none of it, or not settled.
    pub def: Ternary,
    /// Whether the node's own operation is defined wherever its operands are.
    pub own: Ternary,
}

impl Enclosure {
    /// An interval in which the node surely has a value everywhere.
    #[must_use]
    pub fn defined(x: Interval) -> Self {
        Enclosure { x, def: Ternary::True, own: Ternary::True }
    }

    /// The image under an operation that is defined wherever its operands are.
    #[inline]
    fn total(x: Interval, def: Ternary) -> Self {
        if x.is_empty() { Self::nowhere() } else { Enclosure { x, def, own: Ternary::True } }
    }

    fn truth(t: Ternary, def: Ternary) -> Self {
        if def.is_false() {
            return Self::nowhere();
        }
        let x = match t {
            Ternary::True => Interval::point(1.0),
            Ternary::False => Interval::point(0.0),
            Ternary::Unknown => Interval::new(0.0, 1.0),
        };
        Enclosure { x, def, own: Ternary::True }
    }

    /// The enclosure as a truth value.
    #[must_use]
    pub fn as_truth(&self) -> Ternary {
        Ternary::decide(self.x.inf() == 1.0, self.x.sup() == 0.0)
    }

    fn nowhere() -> Self {
        Enclosure { x: Interval::EMPTY, def: Ternary::False, own: Ternary::Unknown }
    }
}

/// Intervals with binary64 ends over a box: rigorous.
pub struct Boxes<'a> {
    /// The box, one interval an input.
    pub inputs: &'a [Interval],
}

impl Domain for Boxes<'_> {
    type Value = Enclosure;
    #[inline]
    fn input(&mut self, index: usize) -> Enclosure {
        Enclosure::defined(self.inputs[index])
    }
    #[inline]
    fn constant(&mut self, c: &Const) -> Enclosure {
        Enclosure::defined(c.interval)
    }
    fn boolean(&mut self, b: bool) -> Enclosure {
        Enclosure::truth(b.into(), Ternary::True)
    }
    fn undefined(&mut self) -> Enclosure {
        Enclosure { own: Ternary::False, ..Enclosure::nowhere() }
    }
    fn unknown(&mut self) -> Enclosure {
        Enclosure { x: Interval::ENTIRE, def: Ternary::Unknown, own: Ternary::Unknown }
    }
    fn unknown_unless(&mut self, has_none: &Enclosure) -> Enclosure {
        let is_sure = self.decide(has_none) == Ternary::True;
        if is_sure { self.undefined() } else { self.unknown() }
    }
    #[inline]
    fn apply(&mut self, op: Op, args: &[&Enclosure]) -> Enclosure {
        // Operations without a domain of their own, by far the most frequent.
        match (op, args) {
            (Op::Add, [a, b]) => return Enclosure::total(a.x + b.x, a.def & b.def),
            (Op::Sub, [a, b]) => return Enclosure::total(a.x - b.x, a.def & b.def),
            (Op::Mul, [a, b]) => return Enclosure::total(a.x * b.x, a.def & b.def),
            (Op::Neg, [a]) => return Enclosure::total(-a.x, a.def),
            (Op::Fabs, [a]) => return Enclosure::total(a.x.abs(), a.def),
            _ => {}
        }
        let mut x = [Interval::EMPTY; crate::ops::MAX_ARITY];
        let mut def = Ternary::True;
        for (slot, a) in x.iter_mut().zip(args) {
            *slot = a.x;
            def = def & a.def;
        }
        if def.is_false() {
            return Enclosure::nowhere();
        }
        let (x, own) = op.forward(&x[..args.len()]);
        if own.is_false() || x.is_empty() {
            return Enclosure { own, ..Enclosure::nowhere() };
        }
        Enclosure { x, def: def & own, own }
    }
    fn compare(&mut self, relation: Relation, a: &Enclosure, b: &Enclosure) -> Enclosure {
        let ends = |e: &Enclosure| (e.x.inf(), e.x.sup());
        let (a0, b0) = (ends(a), ends(b));
        let t = relation.decide([&a0.0, &a0.1], [&b0.0, &b0.1]);
        Enclosure::truth(t, a.def & b.def)
    }
    fn and(&mut self, a: &Enclosure, b: &Enclosure) -> Enclosure {
        Enclosure::truth(a.as_truth() & b.as_truth(), a.def & b.def)
    }
    fn not(&mut self, a: &Enclosure) -> Enclosure {
        Enclosure::truth(!a.as_truth(), a.def)
    }
    fn choose(&mut self, c: &Enclosure, t: &Enclosure, e: &Enclosure) -> Enclosure {
        if c.def.is_false() {
            return Enclosure::nowhere();
        }
        let picked = match c.as_truth() {
            Ternary::True => *t,
            Ternary::False => *e,
            Ternary::Unknown => Enclosure { x: t.x | e.x, def: t.def.join(e.def), own: Ternary::True },
        };
        let def = picked.def & c.def;
        if def.is_false() { Enclosure::nowhere() } else { Enclosure { def, own: Ternary::True, ..picked } }
    }
}

impl Deciding for Boxes<'_> {
    fn decide(&self, condition: &Enclosure) -> Ternary {
        if condition.def.is_true() { condition.as_truth() } else { Ternary::Unknown }
    }
}

/// Multiple-precision intervals at one input, with directed rounding: rigorous at any precision.
pub struct Multi<'a> {
    /// The exact input.
    pub inputs: &'a [MpInterval],
    /// Bits of the ends.
    pub precision: u32,
}

impl Multi<'_> {
    fn truth(&self, t: Ternary, def: Ternary) -> MpInterval {
        let (lo, hi) = match t {
            Ternary::True => (1, 1),
            Ternary::False => (0, 0),
            Ternary::Unknown => (0, 1),
        };
        MpInterval::new(Float::with_val(self.precision, lo), Float::with_val(self.precision, hi)).with_def(def)
    }
}

/// An enclosure as a truth value.
#[must_use]
pub fn mp_truth(v: &MpInterval) -> Ternary {
    Ternary::decide(v.lo == 1, v.hi == 0)
}

impl Domain for Multi<'_> {
    type Value = MpInterval;
    fn input(&mut self, index: usize) -> MpInterval {
        self.inputs[index].clone()
    }
    fn constant(&mut self, c: &Const) -> MpInterval {
        match &c.value {
            ConstValue::Rational(r) => MpInterval::from_rational(r, self.precision),
            ConstValue::Named(n) => n.enclose(self.precision).unwrap_or_else(|| MpInterval::undefined(self.precision)),
            ConstValue::Within(lo, hi) => {
                MpInterval::from_rational(lo, self.precision).hull(&MpInterval::from_rational(hi, self.precision))
            }
        }
    }
    fn boolean(&mut self, b: bool) -> MpInterval {
        self.truth(b.into(), Ternary::True)
    }
    fn undefined(&mut self) -> MpInterval {
        MpInterval::undefined(self.precision)
    }
    fn unknown(&mut self) -> MpInterval {
        MpInterval::entire(self.precision, Ternary::Unknown)
    }
    fn unknown_unless(&mut self, has_none: &MpInterval) -> MpInterval {
        let is_sure = self.decide(has_none) == Ternary::True;
        if is_sure { self.undefined() } else { self.unknown() }
    }
    fn apply(&mut self, op: Op, args: &[&MpInterval]) -> MpInterval {
        op.enclose(args, self.precision)
    }
    fn compare(&mut self, relation: Relation, a: &MpInterval, b: &MpInterval) -> MpInterval {
        self.truth(relation.decide([&a.lo, &a.hi], [&b.lo, &b.hi]), a.def & b.def)
    }
    fn and(&mut self, a: &MpInterval, b: &MpInterval) -> MpInterval {
        self.truth(mp_truth(a) & mp_truth(b), a.def & b.def)
    }
    fn not(&mut self, a: &MpInterval) -> MpInterval {
        self.truth(!mp_truth(a), a.def)
    }
    fn choose(&mut self, c: &MpInterval, t: &MpInterval, e: &MpInterval) -> MpInterval {
        if c.def.is_false() {
            return MpInterval::undefined(self.precision);
        }
        let picked = match mp_truth(c) {
            Ternary::True => t.clone(),
            Ternary::False => e.clone(),
            Ternary::Unknown => t.hull(e),
        };
        let def = picked.def & c.def;
        picked.with_def(def)
    }
}

impl Deciding for Multi<'_> {
    fn decide(&self, condition: &MpInterval) -> Ternary {
        decided(condition)
    }
}

/// Whether a condition that surely has a truth value holds; unknown where it may have none.
#[must_use]
pub fn decided(condition: &MpInterval) -> Ternary {
    if condition.def.is_true() { mp_truth(condition) } else { Ternary::Unknown }
}

/// Exact arithmetic at one input, as far as values are known to be rational, or rational multiples of pi.
pub struct Rationals<'a> {
    /// The exact input.
    pub inputs: &'a [Rational],
}

impl Rationals<'_> {
    fn truth(b: bool) -> Exact {
        Exact::Value(Rational::from(u8::from(b)))
    }
}

/// The rational operands of `args`, or what the result is without them.
fn values<'v>(args: &[&'v Exact]) -> Result<Vec<&'v Rational>, Exact> {
    if args.iter().any(|a| **a == Exact::Undefined) {
        return Err(Exact::Undefined);
    }
    args.iter().map(|a| if let Exact::Value(v) = a { Ok(v) } else { Err(Exact::Unknown) }).collect()
}

impl Deciding for Rationals<'_> {
    fn decide(&self, condition: &Exact) -> Ternary {
        match condition {
            Exact::Value(v) => Ternary::decide(*v == 1, *v == 0),
            _ => Ternary::Unknown,
        }
    }
}

impl Domain for Rationals<'_> {
    type Value = Exact;
    fn input(&mut self, index: usize) -> Exact {
        Exact::Value(self.inputs[index].clone())
    }
    fn constant(&mut self, c: &Const) -> Exact {
        match &c.value {
            ConstValue::Rational(r) => Exact::Value(r.clone()),
            ConstValue::Named(c) => multiple_of_pi(*c).map_or(Exact::Unknown, Exact::OfPi),
            ConstValue::Within(..) => Exact::Unknown,
        }
    }
    fn boolean(&mut self, b: bool) -> Exact {
        Self::truth(b)
    }
    fn undefined(&mut self) -> Exact {
        Exact::Undefined
    }
    fn unknown(&mut self) -> Exact {
        Exact::Unknown
    }
    fn unknown_unless(&mut self, has_none: &Exact) -> Exact {
        if self.decide(has_none) == Ternary::True { Exact::Undefined } else { Exact::Unknown }
    }
    fn apply(&mut self, op: Op, args: &[&Exact]) -> Exact {
        match values(args) {
            Ok(v) => op.exact(&v),
            Err(e) => apply_to_pi(op, args).unwrap_or(e),
        }
    }
    fn compare(&mut self, relation: Relation, a: &Exact, b: &Exact) -> Exact {
        match values(&[a, b]) {
            Ok(v) => Self::truth(relation.holds(v[0].cmp(v[1]))),
            Err(e) => order(a, b).map_or(e, |o| Self::truth(relation.holds(o))),
        }
    }
    fn and(&mut self, a: &Exact, b: &Exact) -> Exact {
        match values(&[a, b]) {
            Ok(v) => Self::truth(*v[0] != 0 && *v[1] != 0),
            Err(e) => e,
        }
    }
    fn not(&mut self, a: &Exact) -> Exact {
        match values(&[a]) {
            Ok(v) => Self::truth(*v[0] == 0),
            Err(e) => e,
        }
    }
    fn choose(&mut self, c: &Exact, t: &Exact, e: &Exact) -> Exact {
        match c {
            Exact::Value(v) => {
                if *v == 0 {
                    e.clone()
                } else {
                    t.clone()
                }
            }
            other => other.clone(),
        }
    }
}
