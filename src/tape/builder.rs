//! Building a tape: every expression once, commutative operands in one order, constants folded exactly.
//!
//! Only rewrites that keep the function *and* its domain are made here, so that two expressions which get the same
//! node are the same function wherever either is defined.

use super::node::{Const, ConstValue, Node, NodeId, Tape};
use crate::num::float::rational_to_f64;
use crate::num::mpfr::Round;
use crate::num::{Interval, Rational};
use crate::ops::{Exact, Op};
use crate::spec::core::Constant;
use std::collections::HashMap;
use std::sync::Arc;

/// A tape under construction.
#[derive(Debug, Default)]
pub struct Builder {
    tape: Tape,
    known: HashMap<Node, NodeId>,
    pool: HashMap<ConstValue, u32>,
    /// Differences already built, see [`super::diff`].
    pub(super) differences: HashMap<(NodeId, NodeId), NodeId>,
}

impl Builder {
    /// An empty tape over that many inputs.
    #[must_use]
    pub fn new(inputs: usize) -> Self {
        Builder { tape: Tape { inputs, ..Tape::default() }, ..Builder::default() }
    }

    /// Go on building on an existing tape: its nodes keep their places.
    #[must_use]
    pub fn on(tape: Tape) -> Self {
        let known = tape.nodes.iter().enumerate().map(|(i, n)| (*n, NodeId(i as u32))).collect();
        let pool = tape.consts.iter().enumerate().map(|(i, c)| (c.value.clone(), i as u32)).collect();
        Builder { tape, known, pool, differences: HashMap::new() }
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
    fn intern(&mut self, node: Node) -> NodeId {
        *self.known.entry(node).or_insert_with(|| {
            self.tape.nodes.push(node);
            NodeId(self.tape.nodes.len() as u32 - 1)
        })
    }

    /// The input with that index.
    pub fn var(&mut self, index: usize) -> NodeId {
        self.intern(Node::Var(index as u32))
    }

    /// A truth value.
    pub fn boolean(&mut self, b: bool) -> NodeId {
        self.intern(Node::Bool(b))
    }

    /// No value.
    pub fn undefined(&mut self) -> NodeId {
        self.intern(Node::Undefined)
    }

    /// An exact rational constant.
    pub fn rational(&mut self, value: Rational) -> NodeId {
        self.constant(ConstValue::Rational(value))
    }

    /// A named real constant. The special values (`INFINITY`, `NAN`, truth values) are no numbers and give
    /// [`Node::Undefined`].
    pub fn named(&mut self, c: Constant) -> NodeId {
        match c {
            Constant::Infinity | Constant::Nan => self.undefined(),
            Constant::True => self.boolean(true),
            Constant::False => self.boolean(false),
            c => self.constant(ConstValue::Named(c)),
        }
    }

    /// A constant.
    pub fn constant(&mut self, value: ConstValue) -> NodeId {
        let index = match self.pool.get(&value) {
            Some(&i) => i,
            None => {
                let (lo, hi) = match &value {
                    ConstValue::Rational(r) => (rational_to_f64(r, Round::Down), rational_to_f64(r, Round::Up)),
                    ConstValue::Named(c) => c.enclose(53).map_or((f64::NAN, f64::NAN), |v| {
                        (v.lo.to_f64_round(Round::Down), v.hi.to_f64_round(Round::Up))
                    }),
                };
                let approx = match &value {
                    ConstValue::Rational(r) => rational_to_f64(r, Round::Nearest),
                    ConstValue::Named(_) => lo,
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
        self.intern(Node::Const(index))
    }

    /// An operator applied to as many operands as its arity.
    pub fn op(&mut self, op: Op, args: &[NodeId]) -> NodeId {
        debug_assert_eq!(args.len(), op.arity());
        if args.iter().any(|a| self.tape.node(*a) == Node::Undefined) {
            return self.undefined();
        }
        if let Some(known) = args.iter().map(|a| self.tape.rational(*a)).collect::<Option<Vec<_>>>() {
            match op.exact(&known) {
                Exact::Value(v) => return self.rational(v),
                Exact::Undefined => return self.undefined(),
                Exact::Unknown => {}
            }
        }
        if let Some(same) = self.identity(op, args) {
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
        self.intern(Node::Op(op, operands))
    }

    /// A node that equals `op(args)` in value and in domain: a known one, or one whose enclosure is tighter.
    fn identity(&mut self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let is = |k: usize, v: i32| self.tape.rational(args[k]).is_some_and(|r| *r == v);
        match op {
            Op::Add if is(0, 0) => Some(args[1]),
            Op::Add | Op::Sub if is(1, 0) => Some(args[0]),
            Op::Sub if is(0, 0) => Some(self.op(Op::Neg, &[args[1]])),
            // Nothing is left but the domain.
            Op::Sub if args[0] == args[1] => {
                let zero = self.rational(0.into());
                Some(self.op(Op::Mul, &[zero, args[0]]))
            }
            Op::Add | Op::Sub => self.minus_one(op, args),
            Op::Mul if is(0, 1) => Some(args[1]),
            Op::Mul | Op::Div | Op::Pow if is(1, 1) => Some(args[0]),
            Op::Mul if is(0, -1) => Some(self.op(Op::Neg, &[args[1]])),
            Op::Mul | Op::Div if is(1, -1) => Some(self.op(Op::Neg, &[args[0]])),
            // A product of equal factors is a power, whose enclosure knows that the factors are the same number.
            Op::Mul if args[0] == args[1] => {
                let two = self.rational(2.into());
                Some(self.op(Op::Pow, &[args[0], two]))
            }
            Op::Mul => self.power_times(args[0], args[1]).or_else(|| self.power_times(args[1], args[0])),
            Op::Div if args[0] == args[1] && self.tape.rational(args[0]).is_none() => {
                let (zero, one) = (self.rational(0.into()), self.rational(1.into()));
                let domain = self.op(Op::Div, &[zero, args[0]]);
                Some(self.op(Op::Add, &[one, domain]))
            }
            Op::Fmin | Op::Fmax if args[0] == args[1] => Some(args[0]),
            Op::Log => self.log_of_sum(args[0]).or_else(|| self.inverse(op, args[0])),
            _ if op.arity() == 1 => self.inverse(op, args[0]),
            _ => None,
        }
    }

    /// `g(f(x))` as `x` where g is the inverse of f and f has a value everywhere, and `-(-x)`.
    fn inverse(&self, op: Op, arg: NodeId) -> Option<NodeId> {
        let Node::Op(inner, [x, ..]) = self.tape.node(arg) else { return None };
        let inverse = match inner {
            Op::Neg => Op::Neg,
            Op::Exp => Op::Log,
            Op::Exp2 => Op::Log2,
            Op::Expm1 => Op::Log1p,
            Op::Atan => Op::Tan,
            Op::Sinh => Op::Asinh,
            Op::Asinh => Op::Sinh,
            Op::Tanh => Op::Atanh,
            _ => return None,
        };
        (op == inverse).then_some(x)
    }

    /// `log(1 + x)` as `log1p(x)`, which is accurate near 0.
    fn log_of_sum(&mut self, arg: NodeId) -> Option<NodeId> {
        let Node::Op(op, [a, b, _]) = self.tape.node(arg) else { return None };
        let one = |id: NodeId| self.tape.rational(id).is_some_and(|r| *r == 1);
        let x = match op {
            Op::Add if one(a) => b,
            Op::Add if one(b) => a,
            Op::Sub if one(a) => self.op(Op::Neg, &[b]),
            _ => return None,
        };
        Some(self.op(Op::Log1p, &[x]))
    }

    /// `exp(x) - 1` as `expm1(x)` and `1 - cos(x)` as `2 sin(x/2)^2`, which are accurate near 0, with either sign.
    fn minus_one(&mut self, op: Op, args: &[NodeId]) -> Option<NodeId> {
        let is = |k: usize, v: i32| self.tape.rational(args[k]).is_some_and(|r| *r == v);
        // (the other operand, whether it is subtracted)
        let (other, negated) = match op {
            Op::Sub if is(1, 1) => (args[0], false),
            Op::Sub if is(0, 1) => (args[1], true),
            Op::Add if is(1, -1) => (args[0], false),
            Op::Add if is(0, -1) => (args[1], false),
            _ => return None,
        };
        let (value, negated) = match self.tape.node(other) {
            Node::Op(Op::Exp, [x, ..]) => (self.op(Op::Expm1, &[x]), negated),
            Node::Op(Op::Cos, [x, ..]) => {
                let (half, two) = (self.rational(Rational::from((1, 2))), self.rational(2.into()));
                let x = self.op(Op::Mul, &[half, x]);
                let sine = self.op(Op::Sin, &[x]);
                let square = self.op(Op::Pow, &[sine, two]);
                (self.op(Op::Mul, &[two, square]), !negated)
            }
            _ => return None,
        };
        Some(if negated { self.op(Op::Neg, &[value]) } else { value })
    }

    /// `x^n * x` as `x^(n+1)` for an integer n >= 1.
    fn power_times(&mut self, power: NodeId, x: NodeId) -> Option<NodeId> {
        let Node::Op(Op::Pow, [base, n, _]) = self.tape.node(power) else { return None };
        let n = self.tape.rational(n).filter(|n| n.is_integer() && **n >= 1)?.clone();
        if base != x {
            return None;
        }
        let n = self.rational(n + 1);
        Some(self.op(Op::Pow, &[x, n]))
    }

    /// `a < b`.
    pub fn less(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.compare(a, b, Node::Less, |o| o.is_lt())
    }

    /// `a <= b`.
    pub fn less_eq(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.compare(a, b, Node::LessEq, |o| o.is_le())
    }

    /// `a == b`.
    pub fn equal(&mut self, a: NodeId, b: NodeId) -> NodeId {
        self.compare(a.min(b), a.max(b), Node::Equal, |o| o.is_eq())
    }

    fn compare(
        &mut self,
        a: NodeId,
        b: NodeId,
        node: impl Fn(NodeId, NodeId) -> Node,
        holds: impl Fn(std::cmp::Ordering) -> bool,
    ) -> NodeId {
        if [a, b].iter().any(|n| self.tape.node(*n) == Node::Undefined) {
            return self.undefined();
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
            (Node::Undefined, _) | (_, Node::Undefined) => self.undefined(),
            (Node::Bool(true), _) => b,
            (_, Node::Bool(true)) => a,
            _ if a == b => a,
            _ => self.intern(Node::And(a.min(b), a.max(b))),
        }
    }

    /// `a or b`; undefined where either is.
    pub fn or(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match (self.tape.node(a), self.tape.node(b)) {
            (Node::Undefined, _) | (_, Node::Undefined) => self.undefined(),
            (Node::Bool(false), _) => b,
            (_, Node::Bool(false)) => a,
            _ if a == b => a,
            _ => self.intern(Node::Or(a.min(b), a.max(b))),
        }
    }

    /// `not a`.
    pub fn not(&mut self, a: NodeId) -> NodeId {
        match self.tape.node(a) {
            Node::Undefined => a,
            Node::Bool(b) => self.boolean(!b),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// `then` where `condition` holds, else `otherwise`.
    pub fn choose(&mut self, condition: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
        match self.tape.node(condition) {
            Node::Undefined => condition,
            Node::Bool(true) => then,
            Node::Bool(false) => otherwise,
            _ => self.intern(Node::If(condition, then, otherwise)),
        }
    }
}
