//! Nodes of the expression graph; operands come before the nodes that use them.

use super::memo::Memo;
use crate::num::{Interval, Rational};
use crate::ops::{Constant, MAX_ARITY, Op};
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The place of a node on its tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The place as an index into a vector of values.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstValue {
    /// An exact rational number.
    Rational(Rational),
    /// A real number known by name.
    Named(Constant),
    /// Some number between two, not always the same one: the bounded factor of a remainder. Only bounds are computed
    /// with it.
    Within(Rational, Rational),
}

/// A constant with its binary64 enclosure and approximation at hand.
#[derive(Clone, Debug)]
pub struct Const {
    /// The exact value.
    pub value: ConstValue,
    /// The tightest binary64 enclosure.
    pub interval: Interval,
    /// The nearest binary64 number.
    pub approx: f64,
}

/// One node. Boolean nodes have the values 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TapeNode {
    /// An input, by its index.
    Var(u32),
    /// A constant, by its index in the pool.
    Const(u32),
    /// An operator; operands beyond its arity repeat the first one.
    Op(Op, [NodeId; MAX_ARITY]),
    /// `a < b`.
    Less(NodeId, NodeId),
    /// `a <= b`.
    LessEq(NodeId, NodeId),
    /// `a == b`.
    Equal(NodeId, NodeId),
    /// Both.
    And(NodeId, NodeId),
    /// At least one.
    Or(NodeId, NodeId),
    /// The contrary.
    Not(NodeId),
    /// A truth value.
    Bool(bool),
    /// The second operand where the first holds, else the third. The branch not taken need not be defined.
    If(NodeId, NodeId, NodeId),
    /// No value.
    Undefined,
    /// Whether it has a value, and which, is not known, the same of nodes with the same number; but that it has none where the
    /// first operand holds. What it depends on is the second, [`TapeNode::Arguments`].
    Unknown(u32, [NodeId; 2]),
    /// What a loop depends on that goes on: the first operand, and more of them or the last. It has no value.
    Arguments(NodeId, NodeId),
}

impl TapeNode {
    /// Call `f` on every operand, in order.
    pub fn for_each_operand(&self, mut f: impl FnMut(NodeId)) {
        match *self {
            TapeNode::Var(_) | TapeNode::Const(_) | TapeNode::Bool(_) | TapeNode::Undefined => {}
            TapeNode::Unknown(_, both) => both.into_iter().for_each(f),
            TapeNode::Op(op, args) => args[..op.arity()].iter().copied().for_each(f),
            TapeNode::Less(a, b)
            | TapeNode::LessEq(a, b)
            | TapeNode::Equal(a, b)
            | TapeNode::And(a, b)
            | TapeNode::Or(a, b)
            | TapeNode::Arguments(a, b) => {
                f(a);
                f(b);
            }
            TapeNode::Not(a) => f(a),
            TapeNode::If(c, t, e) => {
                f(c);
                f(t);
                f(e);
            }
        }
    }

    /// The same node with every operand replaced by `f(operand)`.
    #[must_use]
    pub fn map_operands(self, mut f: impl FnMut(NodeId) -> NodeId) -> TapeNode {
        match self {
            TapeNode::Var(_) | TapeNode::Const(_) | TapeNode::Bool(_) | TapeNode::Undefined => self,
            TapeNode::Unknown(number, both) => TapeNode::Unknown(number, both.map(f)),
            TapeNode::Arguments(a, b) => TapeNode::Arguments(f(a), f(b)),
            TapeNode::Op(op, args) => TapeNode::Op(op, args.map(f)),
            TapeNode::Less(a, b) => TapeNode::Less(f(a), f(b)),
            TapeNode::LessEq(a, b) => TapeNode::LessEq(f(a), f(b)),
            TapeNode::Equal(a, b) => TapeNode::Equal(f(a), f(b)),
            TapeNode::And(a, b) => TapeNode::And(f(a), f(b)),
            TapeNode::Or(a, b) => TapeNode::Or(f(a), f(b)),
            TapeNode::Not(a) => TapeNode::Not(f(a)),
            TapeNode::If(c, t, e) => TapeNode::If(f(c), f(t), f(e)),
        }
    }
}

/// What a round does to some variables of a loop.
#[derive(Clone, Debug)]
pub(super) struct StateUpdate {
    /// Over the names of the loop.
    pub(super) tape: Tape,
    /// Whether the round takes place.
    pub(super) goes_on: NodeId,
    /// What the variables become; none of those that stay, and of names that are none.
    pub(super) next: Vec<Option<NodeId>>,
}

/// What is left of a loop after the rounds that are written out.
#[derive(Clone, Debug)]
pub struct LoopRest {
    /// By name of the loop its place among the arguments; none of names on which nothing depends.
    pub(super) places: Vec<Option<usize>>,
    /// By name whether it depends on it how often the loop goes round.
    pub(super) decides: Vec<bool>,
    /// What a round does to variables that later rounds need, and to the others, which the value alone needs.
    pub(super) early: StateUpdate,
    pub(super) late: StateUpdate,
    /// The value of the loop where it does not go on, over the names.
    pub(super) ended: Tape,
    pub(super) value: NodeId,
    /// Whether it depends on no input how often the loop goes round: it is followed to its end.
    pub(super) is_counted: bool,
    /// Values of a counted loop that are known.
    pub(super) memo: Memo,
}

/// An immutable expression graph in evaluation order, with its constants.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    pub(crate) nodes: Vec<TapeNode>,
    pub(crate) consts: Vec<Arc<Const>>,
    pub(crate) inputs: usize,
    /// By the number of what is unknown, how loops go on of which that is kept.
    pub(crate) rests: Arc<FxHashMap<u32, Arc<LoopRest>>>,
}

impl Tape {
    /// The nodes in evaluation order.
    #[must_use]
    pub fn nodes(&self) -> &[TapeNode] {
        &self.nodes
    }

    /// For each node how many choices stand in each other at most in what it is made of.
    #[must_use]
    pub fn choice_depths(&self) -> Vec<u32> {
        let mut depths: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut depth = 0;
            node.for_each_operand(|o| depth = depth.max(depths[o.index()]));
            depths.push(depth + u32::from(matches!(node, TapeNode::If(..))));
        }
        depths
    }

    /// For each node whether it depends on what is not known.
    #[must_use]
    pub fn unknowns(&self) -> Vec<bool> {
        let mut unknowns: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut is_unknown = matches!(node, TapeNode::Unknown(..));
            node.for_each_operand(|o| is_unknown |= unknowns[o.index()]);
            unknowns.push(is_unknown);
        }
        unknowns
    }

    /// The node at a place.
    #[must_use]
    pub fn node(&self, id: NodeId) -> TapeNode {
        self.nodes[id.index()]
    }

    /// How the loop goes on whose value after some rounds is unknown, if that is kept.
    pub(super) fn rest(&self, number: u32) -> Option<&LoopRest> {
        self.rests.get(&number).map(Arc::as_ref)
    }

    /// Whether there are loops of very many rounds, which no input decides.
    #[must_use]
    pub fn has_counted_loops(&self) -> bool {
        self.rests.values().any(|rest| rest.is_counted())
    }

    /// The arguments that a node is made of.
    pub(super) fn arguments(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut left = Some(node);
        std::iter::from_fn(move || {
            let node = left.take()?;
            let TapeNode::Arguments(first, others) = self.node(node) else { return Some(node) };
            left = Some(others);
            Some(first)
        })
    }

    /// A constant of the pool.
    #[must_use]
    pub fn constant(&self, index: u32) -> &Const {
        &self.consts[index as usize]
    }

    /// The exact rational value of a constant node.
    #[must_use]
    pub fn rational(&self, id: NodeId) -> Option<&Rational> {
        match self.node(id) {
            TapeNode::Const(c) => match &self.constant(c).value {
                ConstValue::Rational(r) => Some(r),
                ConstValue::Named(_) | ConstValue::Within(..) => None,
            },
            _ => None,
        }
    }

    /// The number of inputs.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes on which `roots` depend, as a mask over the tape.
    #[must_use]
    pub fn cone(&self, roots: &[NodeId]) -> Vec<bool> {
        let mut live = vec![false; self.nodes.len()];
        for &r in roots {
            live[r.index()] = true;
        }
        for i in (0..self.nodes.len()).rev() {
            if live[i] {
                self.nodes[i].for_each_operand(|o| live[o.index()] = true);
            }
        }
        live
    }

    /// Whether all of `parts` are computed for the value of `root`.
    #[must_use]
    pub fn computes_all(&self, root: NodeId, parts: &[NodeId]) -> bool {
        parts.is_empty() || {
            let below = self.below(&[root]);
            parts.iter().all(|part| below.binary_search(part).is_ok())
        }
    }

    /// The nodes on which `roots` depend, in evaluation order: where they are few of a long tape, quicker than
    /// [`Tape::cone`].
    #[must_use]
    pub fn below(&self, roots: &[NodeId]) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = Vec::new();
        // Operands come before what uses them, so that the last of those to be seen is seen for the last time.
        let mut next: BinaryHeap<NodeId> = roots.iter().copied().collect();
        while let Some(id) = next.pop() {
            if found.last() != Some(&id) {
                found.push(id);
                self.node(id).for_each_operand(|o| next.push(o));
            }
        }
        found.reverse();
        found
    }

    /// Whether a node depends on no more than so many, itself among them.
    #[must_use]
    pub fn is_small(&self, root: NodeId, most: usize) -> bool {
        let (mut count, mut last, mut next) = (0, None, BinaryHeap::from([root]));
        while let Some(id) = next.pop() {
            if last != Some(id) {
                (count, last) = (count + 1, Some(id));
                if count > most {
                    return false;
                }
                self.node(id).for_each_operand(|o| next.push(o));
            }
        }
        true
    }

    /// A tape of just the nodes on which `roots` depend, and where the roots are on it.
    #[must_use]
    pub fn extract(&self, roots: &[NodeId]) -> (Tape, Vec<NodeId>) {
        let below = self.below(roots);
        let place = |id: NodeId| NodeId(below.partition_point(|b| *b < id) as u32);
        let mut consts: Vec<Arc<Const>> = Vec::new();
        let mut copy = |id: &NodeId| match self.node(*id) {
            TapeNode::Const(c) => {
                consts.push(self.consts[c as usize].clone());
                TapeNode::Const(consts.len() as u32 - 1)
            }
            node => node.map_operands(place),
        };
        let nodes = below.iter().map(&mut copy).collect();
        (
            Tape { nodes, consts, inputs: self.inputs, rests: self.rests.clone() },
            roots.iter().map(|r| place(*r)).collect(),
        )
    }
}
