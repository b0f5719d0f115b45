//! Expressions as trees: what laws are about, and what the steps of a proof are written in.

use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::tape::node::ConstValue;
use crate::tape::{Builder, NodeId, Tape, TapeNode};
use std::fmt::Write;

/// What stands at the top of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Head {
    /// An input, or a variable of a law.
    Var(u32),
    /// An exact number.
    Number(Rational),
    /// A constant known by name.
    Named(Constant),
    /// An operator.
    Op(Op),
    /// `<`
    Less,
    /// `<=`
    LessEq,
    /// `==`
    Equal,
    /// Both.
    And,
    /// At least one.
    Or,
    /// The contrary.
    Not,
    /// A truth value.
    Bool(bool),
    /// The second operand where the first holds, else the third.
    If,
    /// No value.
    Undefined,
}

impl Head {
    /// The head of a node; none for what is known by bounds only, or not at all.
    pub(super) fn of(tape: &Tape, node: TapeNode) -> Option<Head> {
        Some(match node {
            TapeNode::Var(i) => Head::Var(i),
            TapeNode::Const(c) => match &tape.constant(c).value {
                ConstValue::Rational(r) => Head::Number(r.clone()),
                ConstValue::Named(c) => Head::Named(*c),
                ConstValue::Within(..) => return None,
            },
            TapeNode::Op(op, _) => Head::Op(op),
            TapeNode::Less(..) => Head::Less,
            TapeNode::LessEq(..) => Head::LessEq,
            TapeNode::Equal(..) => Head::Equal,
            TapeNode::And(..) => Head::And,
            TapeNode::Or(..) => Head::Or,
            TapeNode::Not(_) => Head::Not,
            TapeNode::Bool(b) => Head::Bool(b),
            TapeNode::If(..) => Head::If,
            TapeNode::Undefined => Head::Undefined,
            TapeNode::Unknown(..) | TapeNode::Arguments(..) => return None,
        })
    }

    /// Its node on a tape.
    pub(super) fn build(&self, b: &mut Builder, args: &[NodeId]) -> NodeId {
        match (self, args) {
            (Head::Var(i), _) => b.var(*i as usize),
            (Head::Number(r), _) => b.rational(r.clone()),
            (Head::Named(c), _) => b.named(*c),
            (Head::Op(op), args) => b.op(*op, args),
            (Head::Less, [x, y]) => b.less(*x, *y),
            (Head::LessEq, [x, y]) => b.less_eq(*x, *y),
            (Head::Equal, [x, y]) => b.equal(*x, *y),
            (Head::And, [x, y]) => b.and(*x, *y),
            (Head::Or, [x, y]) => b.or(*x, *y),
            (Head::Not, [x]) => b.not(*x),
            (Head::Bool(t), _) => b.boolean(*t),
            (Head::If, [c, t, e]) => b.choose(*c, *t, *e),
            _ => b.undefined(),
        }
    }

    /// As in FPCore.
    fn name(&self, names: &[String]) -> String {
        match self {
            Head::Var(i) => names.get(*i as usize).cloned().unwrap_or_else(|| format!("x{i}")),
            Head::Number(r) => r.to_string(),
            Head::Named(c) => c.name().to_owned(),
            Head::Op(op) => op.name().to_owned(),
            Head::Less => "<".into(),
            Head::LessEq => "<=".into(),
            Head::Equal => "==".into(),
            Head::And => "and".into(),
            Head::Or => "or".into(),
            Head::Not => "not".into(),
            Head::Bool(true) => "TRUE".into(),
            Head::Bool(false) => "FALSE".into(),
            Head::If => "if".into(),
            Head::Undefined => "NAN".into(),
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expr {
    pub(super) head: Head,
    pub(super) args: Vec<Expr>,
}

/// Trees of more heads than this are not written out.
const MAX_SIZE: usize = 400;

impl Expr {
    /// The tree of a node; none if it would be too large.
    pub(super) fn of(tape: &Tape, root: NodeId) -> Option<Expr> {
        fn grow(tape: &Tape, id: NodeId, left: &mut usize) -> Option<Expr> {
            *left = left.checked_sub(1)?;
            let node = tape.node(id);
            let head = Head::of(tape, node)?;
            let mut operands = Vec::new();
            node.for_each_operand(|o| operands.push(o));
            let args = operands.into_iter().map(|o| grow(tape, o, left)).collect::<Option<_>>()?;
            Some(Expr { head, args })
        }
        grow(tape, root, &mut MAX_SIZE.clone())
    }

    /// Its node on a tape.
    pub(super) fn build(&self, b: &mut Builder) -> NodeId {
        let args: Vec<NodeId> = self.args.iter().map(|a| a.build(b)).collect();
        self.head.build(b, &args)
    }

    /// Whether a variable occurs in it.
    pub(super) fn uses(&self, variable: usize) -> bool {
        self.head == Head::Var(variable as u32) || self.args.iter().any(|a| a.uses(variable))
    }

    /// The expressions that the variables of `self` stand for, if `other` is of its shape. Each variable stands for one
    /// expression; what is in `bound` already stays.
    pub(super) fn matches<'a>(&self, other: &'a Expr, bound: &mut [Option<&'a Expr>]) -> bool {
        if let Head::Var(i) = self.head {
            let Some(slot) = bound.get_mut(i as usize) else { return false };
            return *slot.get_or_insert(other) == other;
        }
        self.head == other.head
            && self.args.len() == other.args.len()
            && self.args.iter().zip(&other.args).all(|(a, b)| a.matches(b, bound))
    }

    /// With expressions in place of its variables.
    pub(super) fn with(&self, bound: &[Option<&Expr>]) -> Expr {
        if let Head::Var(i) = self.head
            && let Some(Some(e)) = bound.get(i as usize)
        {
            return (*e).clone();
        }
        Expr { head: self.head.clone(), args: self.args.iter().map(|a| a.with(bound)).collect() }
    }

    /// As FPCore.
    pub(super) fn text(&self, names: &[String]) -> String {
        let name = self.head.name(names);
        if self.args.is_empty() {
            return name;
        }
        let mut out = format!("({name}");
        for a in &self.args {
            let _ = write!(out, " {}", a.text(names));
        }
        out.push(')');
        out
    }
}

/// A node in FPCore; none if that would be too long.
pub(in crate::equiv) fn text_of(tape: &Tape, node: NodeId, names: &[String]) -> Option<String> {
    Some(Expr::of(tape, node)?.text(names))
}
