//! Programs over floats: a formula evaluated operation by operation, each in its format.
//!
//! `results` says what a program may return at an input: a set of floats, computed exactly. Operations of IEEE 754 are
//! correctly rounded, a library function returns some float within so many ulps of its value ([`LibmUlps`]).

mod build;
mod infix;
mod results;

pub use infix::infix;
pub use results::Results;

use crate::floats::Format;
use crate::num::Rational;
pub use crate::ops::float::LibmUlps;
use crate::ops::{Constant, MAX_ARITY, Op};
use crate::spec::core::Classify;
use crate::tape::eval::Relation;

/// The place of a node in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u32);

impl Id {
    /// The node at an index of [`Program::nodes`].
    #[must_use]
    pub fn at(index: usize) -> Self {
        Id(index as u32)
    }

    /// The place as an index into [`Program::nodes`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A number written in a program, before it is rounded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// An exact number.
    Number(Rational),
    /// A named constant: a real number, an infinity or NaN.
    Named(Constant),
}

/// What one node of a program does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The input with that index, rounded to the node's format (ties to even).
    Input(u32),
    /// A literal, rounded once.
    Literal(Literal),
    /// An operator in the node's format, of which its operands are floats; those beyond its arity repeat the first one.
    Op(Op, [Id; MAX_ARITY]),
    /// A float of another format, rounded to the node's.
    Convert(Id),
    /// A comparison of two floats: false where one is NaN. A truth value.
    Compare(Relation, Id, Id),
    /// A test of a float's class. A truth value.
    Classify(Classify, Id),
    /// A truth value.
    Truth(bool),
    /// Both hold. A truth value.
    And(Id, Id),
    /// At least one holds. A truth value.
    Or(Id, Id),
    /// The contrary. A truth value.
    Not(Id),
    /// The second where the first holds, else the third.
    If(Id, Id, Id),
}

impl Step {
    /// How many nodes it uses, from 0 to [`MAX_ARITY`].
    #[must_use]
    pub fn arity(&self) -> usize {
        match self {
            Step::Input(_) | Step::Literal(_) | Step::Truth(_) => 0,
            Step::Op(op, _) => op.arity(),
            Step::Convert(_) | Step::Classify(..) | Step::Not(_) => 1,
            Step::Compare(..) | Step::And(..) | Step::Or(..) => 2,
            Step::If(..) => 3,
        }
    }

    /// The nodes that it uses, in order; those beyond its arity have no meaning.
    #[must_use]
    pub fn operands(&self) -> [Id; MAX_ARITY] {
        match *self {
            Step::Input(_) | Step::Literal(_) | Step::Truth(_) => [Id(0); MAX_ARITY],
            Step::Op(_, args) => args,
            Step::Convert(a) | Step::Classify(_, a) | Step::Not(a) => [a; MAX_ARITY],
            Step::Compare(_, a, b) | Step::And(a, b) | Step::Or(a, b) => [a, b, a],
            Step::If(a, b, c) => [a, b, c],
        }
    }

    /// Does something with each node that it uses, in order.
    pub fn for_each_operand(&self, f: impl FnMut(Id)) {
        self.operands()[..self.arity()].iter().copied().for_each(f);
    }
}

/// One node: a step with the format of its result (of a truth value, the format around it).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What is done.
    pub step: Step,
    /// The format of its result.
    pub format: Format,
}

/// A program over floats: nodes in evaluation order, operands before what uses them, the same node once.
#[derive(Clone, Debug)]
pub struct Program {
    nodes: Vec<Node>,
    /// Of literals, their value in the node's format; 0 for all other nodes.
    values: Vec<f64>,
    result: Id,
    /// Whether over the reals it is the formula that it was made of.
    exact: bool,
}

/// The same nodes in the same order: the same program.
impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.nodes == other.nodes && self.result == other.result
    }
}

impl Program {
    /// Whether over the reals it is the formula that it was made of: not where a loop goes round more or less often in floats, or
    /// takes other sides of choices.
    #[must_use]
    pub fn is_formula(&self) -> bool {
        self.exact
    }

    /// The nodes in evaluation order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The errors of library functions on which all that is said of its results rests: `ulps` where it calls such a
    /// function, else none.
    #[must_use]
    pub fn assumes(&self, ulps: LibmUlps) -> Option<LibmUlps> {
        let is_called = |n: &Node| matches!(n.step, Step::Op(op, _) if op.range(n.format).is_some());
        self.nodes.iter().any(is_called).then_some(ulps)
    }

    /// The places of the nodes, in evaluation order.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.nodes.len() as u32).map(Id)
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.index()]
    }

    /// The float that a literal is rounded to.
    #[must_use]
    pub fn value(&self, literal: Id) -> f64 {
        self.values[literal.index()]
    }

    /// The node whose float is returned.
    #[must_use]
    pub fn result(&self) -> Id {
        self.result
    }

    /// The format of the result.
    #[must_use]
    pub fn format(&self) -> Format {
        self.node(self.result).format
    }

    /// The same for programs that do the same operations on the same operands, the operands of sums and products in
    /// either order.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let mut prints: Vec<u128> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let mut of: Vec<u128> = Vec::new();
            node.step.for_each_operand(|o| of.push(prints[o.index()]));
            let commutes = match &node.step {
                Step::Op(Op::Add | Op::Mul | Op::Fma, _) => 2,
                Step::And(..) | Step::Or(..) | Step::Compare(Relation::Equal, ..) => 2,
                _ => 0,
            };
            of[..commutes].sort_unstable();
            // The step without its operands.
            let step = node.step.clone().map_operands(|_| Id(0));
            let mut print =
                fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, format!("{step:?} {:?}", node.format).as_bytes());
            for operand in of {
                print = fold(print, &operand.to_le_bytes());
            }
            prints.push(print);
        }
        prints[self.result.index()]
    }
}

/// FNV-1a in 128 bits (Fowler, Noll, Vo).
fn fold(print: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(print, |h, b| (h ^ u128::from(*b)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_same_nodes_are_the_same() {
        let program = |op: Op, format: Format| {
            let node = |step: Step| Node { step, format };
            let operands = [Id::at(0), Id::at(1), Id::at(0)];
            Program::of_nodes(vec![node(Step::Input(0)), node(Step::Input(1)), node(Step::Op(op, operands))])
        };
        let sum = program(Op::Add, Format::BINARY64);
        assert!(sum == program(Op::Add, Format::BINARY64));
        assert!(sum != program(Op::Sub, Format::BINARY64) && sum != program(Op::Add, Format::BINARY32));
    }
}
