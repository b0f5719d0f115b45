//! Building a tape: every expression once, commutative operands in one order, constants folded exactly.
//!
//! Only rewrites that keep the function *and* its domain are made (in `identity.rs`), so that two expressions which get the same
//! node are the same function wherever either is defined.

use super::eval::{Boxes, Enclosure, step};
use super::node::{Const, ConstValue, LoopRest, NodeId, Tape, TapeNode};
use super::round::LoopRound;
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Rational};
use crate::ops::{Constant, Exact, Op};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What tells a function of which nothing is known from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnknownFunction {
    /// The text of the loop whose further rounds it stands for.
    Text(u128),
    /// What a round of that loop does.
    Round(LoopRound),
}

/// A tape under construction.
#[derive(Debug, Default)]
pub struct Builder {
    tape: Tape,
    known: HashMap<TapeNode, NodeId>,
    pool: HashMap<ConstValue, u32>,
    /// A box on which the expressions matter, for what holds near 0 only.
    pub(super) domain: Option<Vec<Interval>>,
    /// By node, what it is on that box, as far as that was computed.
    ranges: Vec<Enclosure>,
    /// By node, whether it has a value at all inputs, as far as that was asked for.
    pub(super) totals: Vec<bool>,
    /// Whether operators stay as they are written.
    literal: bool,
    /// Whether every expression is a node of its own, also where another is the same.
    apart: bool,
    /// The numbers of unknown values, by what they depend on.
    unknowns: HashMap<(UnknownFunction, Vec<NodeId>), u32>,
    /// What rounds do that are not written out, over the variables of their loops.
    pub(super) rounds: Option<Box<Builder>>,
    /// Inputs at which it is looked for states of loops that they never leave.
    pub(super) samples: Vec<Vec<f64>>,
    /// Differences already built, see [`super::diff`].
    pub(super) differences: HashMap<(NodeId, NodeId), NodeId>,
    /// How many parts of sums were opened for them.
    pub(super) opened_terms: usize,
    /// How many pairs of choices were taken apart for them.
    pub(super) crossed_choices: usize,
}

impl Builder {
    /// An empty tape over that many inputs.
    #[must_use]
    pub fn new(inputs: usize) -> Self {
        Builder { tape: Tape { inputs, ..Tape::default() }, ..Builder::default() }
    }

    /// An empty tape whose operators will be those that are written, in their order, nothing folded or rewritten: for
    /// what a program does with the formula, not for the function that it is.
    #[must_use]
    pub fn literal(inputs: usize) -> Self {
        Builder { literal: true, ..Builder::new(inputs) }
    }

    /// The same, and every expression is a node of its own: none is what it is by what stands elsewhere.
    #[must_use]
    pub fn apart(inputs: usize) -> Self {
        Builder { apart: true, ..Builder::literal(inputs) }
    }

    /// Another node with the value of a node, where every expression is one of its own: what is put in its place there
    /// changes nothing elsewhere.
    pub(super) fn again(&mut self, node: NodeId) -> NodeId {
        if !self.apart {
            return node;
        }
        if self.is_truth(node) {
            return self.intern(TapeNode::And(node, node));
        }
        let zero = self.rational(Rational::new());
        self.intern(TapeNode::Op(Op::Add, [node, zero, node]))
    }

    /// Whether a node is a truth value.
    pub(super) fn is_truth(&self, mut node: NodeId) -> bool {
        while let TapeNode::If(_, then, _) = self.tape.node(node) {
            node = then;
        }
        matches!(
            self.tape.node(node),
            TapeNode::Less(..)
                | TapeNode::LessEq(..)
                | TapeNode::Equal(..)
                | TapeNode::And(..)
                | TapeNode::Or(..)
                | TapeNode::Not(_)
                | TapeNode::Bool(_)
        )
    }

    /// Go on building on an existing tape: its nodes keep their places.
    #[must_use]
    pub fn on(tape: Tape) -> Self {
        let known = tape.nodes.iter().enumerate().map(|(i, n)| (*n, NodeId(i as u32))).collect();
        let pool = tape.consts.iter().enumerate().map(|(i, c)| (c.value.clone(), i as u32)).collect();
        Builder { tape, known, pool, ..Builder::default() }
    }

    /// Look at these inputs for states that loops never leave.
    #[must_use]
    pub fn with_samples(self, samples: Vec<Vec<f64>>) -> Self {
        Builder { samples, ..self }
    }

    /// Announce the box on which bounds will be computed.
    pub fn announce(&mut self, domain: &[Interval]) {
        self.domain = Some(domain.to_vec());
        self.ranges.clear();
    }

    /// What a node is on the box that was announced. Each node is evaluated once.
    pub(super) fn range(&mut self, node: NodeId) -> Option<&Enclosure> {
        let domain = &mut Boxes { inputs: self.domain.as_ref()? };
        for new in &self.tape.nodes()[self.ranges.len()..] {
            let value = step(&self.tape, *new, domain, |o| &self.ranges[o.index()]);
            self.ranges.push(value);
        }
        self.ranges.get(node.index())
    }

    /// The node of another tape over the same inputs, of which the operands are `place`d on this one.
    pub(super) fn copy(&mut self, from: &Tape, node: TapeNode, place: &[NodeId]) -> NodeId {
        match node.map_operands(|o| place[o.index()]) {
            TapeNode::Var(i) => self.var(i as usize),
            TapeNode::Const(c) => self.constant(from.constant(c).value.clone()),
            TapeNode::Bool(t) => self.boolean(t),
            TapeNode::Undefined => self.undefined(),
            // Its number is no other's on any tape.
            node @ TapeNode::Arguments(..) => self.intern(node),
            node @ TapeNode::Unknown(number, _) => {
                if let Some(rest) = from.rests.get(&number)
                    && !self.tape.rests.contains_key(&number)
                {
                    Arc::make_mut(&mut self.tape.rests).insert(number, rest.clone());
                }
                self.intern(node)
            }
            TapeNode::Op(op, args) => self.op(op, &args[..op.arity()]),
            TapeNode::Less(x, y) => self.less(x, y),
            TapeNode::LessEq(x, y) => self.less_eq(x, y),
            TapeNode::Equal(x, y) => self.equal(x, y),
            TapeNode::And(x, y) => self.and(x, y),
            TapeNode::Or(x, y) => self.or(x, y),
            TapeNode::Not(x) => self.not(x),
            TapeNode::If(c, t, e) => self.choose(c, t, e),
        }
    }

    /// The tape so far.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// The finished tape.
    #[must_use]
    pub fn finish(self) -> Tape {
        self.tape
    }

    /// The node, new or known.
    fn intern(&mut self, node: TapeNode) -> NodeId {
        if self.apart {
            self.tape.nodes.push(node);
            return NodeId(self.tape.nodes.len() as u32 - 1);
        }
        *self.known.entry(node).or_insert_with(|| {
            self.tape.nodes.push(node);
            NodeId(self.tape.nodes.len() as u32 - 1)
        })
    }

    /// The input with that index.
    pub fn var(&mut self, index: usize) -> NodeId {
        self.intern(TapeNode::Var(index as u32))
    }

    /// A truth value.
    pub fn boolean(&mut self, b: bool) -> NodeId {
        self.intern(TapeNode::Bool(b))
    }

    /// No value.
    pub fn undefined(&mut self) -> NodeId {
        self.intern(TapeNode::Undefined)
    }

    /// The value of a function of `args` of which nothing is known but that it has none where `has_none` holds.
    pub fn unknown(&mut self, function: UnknownFunction, args: Vec<NodeId>, has_none: NodeId) -> NodeId {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let fresh = || NUMBER.fetch_add(1, Ordering::Relaxed);
        let all = args.iter().rev().copied().reduce(|others, first| self.intern(TapeNode::Arguments(first, others)));
        let number = *self.unknowns.entry((function, args)).or_insert_with(fresh);
        self.intern(TapeNode::Unknown(number, [has_none, all.unwrap_or(has_none)]))
    }

    /// The same of a loop of which it is known how it goes on.
    pub(super) fn unknown_rest(
        &mut self,
        round: LoopRound,
        rest: LoopRest,
        args: Vec<NodeId>,
        has_none: NodeId,
    ) -> NodeId {
        let node = self.unknown(UnknownFunction::Round(round), args, has_none);
        if let TapeNode::Unknown(number, _) = self.tape.node(node) {
            Arc::make_mut(&mut self.tape.rests).insert(number, Arc::new(rest));
        }
        node
    }

    /// An exact rational constant.
    pub fn rational(&mut self, value: Rational) -> NodeId {
        self.constant(ConstValue::Rational(value))
    }

    /// A named real constant. The special values (`INFINITY`, `NAN`, truth values) are no numbers and give
    /// [`TapeNode::Undefined`].
    pub fn named(&mut self, c: Constant) -> NodeId {
        match c {
            Constant::Infinity | Constant::Nan => self.undefined(),
            Constant::True => self.boolean(true),
            Constant::False => self.boolean(false),
            c => self.constant(ConstValue::Named(c)),
        }
    }

    /// A constant. Each bounded factor is a node of its own: two with the same bounds are two numbers, and their
    /// difference is not 0.
    pub fn constant(&mut self, value: ConstValue) -> NodeId {
        let known = if matches!(value, ConstValue::Within(..)) { None } else { self.pool.get(&value) };
        let index = match known {
            Some(&i) => i,
            None => {
                let (lo, hi) = match &value {
                    ConstValue::Rational(r) => (rational_to_f64(r, Round::Down), rational_to_f64(r, Round::Up)),
                    ConstValue::Within(lo, hi) => (rational_to_f64(lo, Round::Down), rational_to_f64(hi, Round::Up)),
                    ConstValue::Named(c) => c.enclose(53).map_or((f64::NAN, f64::NAN), |v| {
                        (v.lo.to_f64_round(Round::Down), v.hi.to_f64_round(Round::Up))
                    }),
                };
                let approx = match &value {
                    ConstValue::Rational(r) => rational_to_f64(r, Round::Nearest),
                    ConstValue::Named(_) | ConstValue::Within(..) => lo,
                };
                let i = self.tape.consts.len() as u32;
                self.tape.consts.push(Arc::new(Const {
                    value: value.clone(),
                    interval: Interval::new(lo, hi),
                    approx,
                }));
                self.pool.insert(value, i);
                i
            }
        };
        self.intern(TapeNode::Const(index))
    }

    /// An operator applied to as many operands as its arity.
    pub fn op(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        debug_assert_eq!(args.len(), op.arity());
        if !self.apart && args.iter().any(|a| self.tape.node(*a) == TapeNode::Undefined) {
            return self.undefined();
        }
        if self.literal {
            let mut operands = [args[0]; crate::ops::MAX_ARITY];
            operands[..args.len()].copy_from_slice(args);
            return self.intern(TapeNode::Op(op, operands));
        }
        if let Some(known) = args.iter().map(|a| self.tape.rational(*a)).collect::<Option<Vec<_>>>() {
            match op.exact(&known) {
                Exact::Value(v) => return self.rational(v),
                Exact::Undefined => return self.undefined(),
                Exact::OfPi(_) | Exact::Unknown => {}
            }
        }
        if let Some(same) = self.sign(op, args).or_else(|| self.identity(op, args)) {
            return same;
        }
        let mut operands = [args[0]; crate::ops::MAX_ARITY];
        operands[..args.len()].copy_from_slice(args);
        match op {
            Op::Add | Op::Mul | Op::Fmin | Op::Fmax | Op::Hypot => {
                operands[..2].sort_unstable();
                operands[2] = operands[0];
            }
            Op::Fma => operands[..2].sort_unstable(),
            _ => {}
        }
        self.intern(TapeNode::Op(op, operands))
    }

    /// `a < b`.
    pub fn less(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.compare(a, b, TapeNode::Less, |o| o.is_lt())
    }

    /// `a <= b`.
    pub fn less_eq(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.compare(a, b, TapeNode::LessEq, |o| o.is_le())
    }

    /// `a == b`.
    pub fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if self.apart {
            return self.intern(TapeNode::Equal(a, b));
        }
        let (a, b) = self.same_zeros(a, b).unwrap_or((a, b));
        self.compare(a.min(b), a.max(b), |a, b| TapeNode::Equal(a.min(b), a.max(b)), |o| o.is_eq())
    }

    fn compare(
        &mut self,
        a: NodeId,
        b: NodeId,
        node: impl Fn(NodeId, NodeId) -> TapeNode,
        holds: impl Fn(std::cmp::Ordering) -> bool,
    ) -> NodeId {
        if self.apart {
            return self.intern(node(a, b));
        }
        if [a, b].iter().any(|n| self.tape.node(*n) == TapeNode::Undefined) {
            return self.undefined();
        }
        if let Some((a, b)) = self.same_order(a, b) {
            return self.compare(a, b, node, holds);
        }
        match (self.tape.rational(a), self.tape.rational(b)) {
            (Some(x), Some(y)) => {
                let b = holds(x.cmp(y));
                self.boolean(b)
            }
            _ => self.intern(node(a, b)),
        }
    }

    /// `a and b`; undefined where either is.
    pub fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.tape.node(a), self.tape.node(b)) {
            _ if self.apart => self.intern(TapeNode::And(a, b)),
            (TapeNode::Undefined, _) | (_, TapeNode::Undefined) => self.undefined(),
            (TapeNode::Bool(true), _) => b,
            (_, TapeNode::Bool(true)) => a,
            _ if a == b => a,
            _ => self.intern(TapeNode::And(a.min(b), a.max(b))),
        }
    }

    /// `a or b`; undefined where either is.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.tape.node(a), self.tape.node(b)) {
            _ if self.apart => self.intern(TapeNode::Or(a, b)),
            (TapeNode::Undefined, _) | (_, TapeNode::Undefined) => self.undefined(),
            (TapeNode::Bool(false), _) => b,
            (_, TapeNode::Bool(false)) => a,
            _ if a == b => a,
            _ => self.intern(TapeNode::Or(a.min(b), a.max(b))),
        }
    }

    /// `not a`.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        match self.tape.node(a) {
            _ if self.apart => self.intern(TapeNode::Not(a)),
            TapeNode::Undefined => a,
            TapeNode::Bool(b) => self.boolean(!b),
            TapeNode::Not(inner) => inner,
            _ => self.intern(TapeNode::Not(a)),
        }
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub fn choose(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        match self.tape.node(condition) {
            _ if self.apart => self.intern(TapeNode::If(condition, then, otherwise)),
            TapeNode::Undefined => condition,
            TapeNode::Bool(true) => then,
            TapeNode::Bool(false) => otherwise,
            _ => self.intern(TapeNode::If(condition, then, otherwise)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_are_one_are_one_node() {
        let mut b = Builder::new(2);
        let [x, y] = [b.var(0), b.var(1)];
        let (p, q) = (b.op(Op::Sub, &[x, y]), b.op(Op::Add, &[x, y]));
        let zero = b.rational(Rational::new());
        let (p, q) = (b.less(p, zero), b.less(q, zero));
        assert_eq!((b.and(p, p), b.or(q, q)), (p, q));
        assert_eq!((b.and(p, q), b.or(p, q)), (b.and(q, p), b.or(q, p)));
        let (yes, no) = (b.boolean(true), b.boolean(false));
        assert_eq!([b.and(yes, p), b.and(p, yes), b.or(no, p), b.or(p, no)], [p; 4]);
        let not = b.not(p);
        assert_eq!(b.not(not), p);
    }

    #[test]
    fn what_is_undefined_in_a_part_is_undefined_as_a_whole() {
        let mut b = Builder::new(2);
        let (x, y, nothing) = (b.var(0), b.var(1), b.undefined());
        let conditions = [b.less(x, y), b.boolean(true), b.boolean(false)];
        for c in conditions {
            assert_eq!([b.and(nothing, c), b.and(c, nothing), b.or(nothing, c), b.or(c, nothing)], [nothing; 4]);
        }
        assert_eq!([b.not(nothing), b.choose(nothing, x, y), b.less(x, nothing)], [nothing; 3]);
    }

    #[test]
    fn conditions_that_stand_apart_stay_as_they_are_written() {
        let mut b = Builder::apart(2);
        let (x, y, yes, no) = (b.var(0), b.var(1), b.boolean(true), b.boolean(false));
        let (p, q) = (b.less(x, y), b.less(y, x));
        let all = [yes, no, p, q];
        for (c, d) in all.into_iter().flat_map(|c| all.map(|d| (c, d))) {
            let (both, either, not, chosen) = (b.and(c, d), b.or(c, d), b.not(c), b.choose(c, d, c));
            let nodes = [both, either, not, chosen].map(|node| b.tape().node(node));
            assert_eq!(nodes, [TapeNode::And(c, d), TapeNode::Or(c, d), TapeNode::Not(c), TapeNode::If(c, d, c)]);
        }
    }
}
