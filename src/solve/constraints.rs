//! Constraints over the reals: what contractors walk.

use crate::num::Interval;
use crate::tape::{NodeId, Tape, TapeNode};

/// That a node has a value, and has it in an interval. Of conditions, 1 is true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    /// The node.
    pub node: NodeId,
    /// Where its value has to be.
    pub within: Interval,
}

impl Constraint {
    /// That a condition holds.
    #[must_use]
    pub fn holds(node: NodeId) -> Self {
        Constraint { node, within: Interval::point(1.0) }
    }

    /// That a node has a value, whatever it is.
    #[must_use]
    pub fn has_value(node: NodeId) -> Self {
        Constraint { node, within: Interval::ENTIRE }
    }

    /// That a node has a value that is not negative.
    #[must_use]
    pub fn not_negative(node: NodeId) -> Self {
        Constraint { node, within: Interval::new(0.0, f64::INFINITY) }
    }
}

/// A conjunction of constraints on one tape.
#[derive(Clone, Debug)]
pub struct Constraints {
    /// The expressions.
    pub tape: Tape,
    /// The constraints, all of which have to hold.
    pub list: Vec<Constraint>,
    /// What they depend on.
    pub cone: Cone,
}

impl Constraints {
    /// The conjunction of some constraints on the nodes of a tape.
    #[must_use]
    pub fn new(tape: Tape, list: Vec<Constraint>) -> Self {
        let roots: Vec<NodeId> = list.iter().map(|c| c.node).collect();
        let cone = Cone::of(&tape, &roots);
        Constraints { tape, list, cone }
    }

    /// The same on a tape of what they need alone.
    #[must_use]
    pub fn extracted(tape: &Tape, list: &[Constraint]) -> Self {
        let roots: Vec<NodeId> = list.iter().map(|c| c.node).collect();
        let (tape, at) = tape.extract(&roots);
        let list = list.iter().zip(at).map(|(c, node)| Constraint { node, ..*c }).collect();
        Constraints::new(tape, list)
    }
}

/// The part of a tape that contractors walk.
#[derive(Clone, Debug, Default)]
pub struct Cone {
    /// Its nodes in evaluation order.
    pub nodes: Vec<NodeId>,
    /// Whether one of them chooses between values, so that some of them need not have one.
    pub choices: bool,
}

impl Cone {
    /// The nodes on which `roots` depend.
    #[must_use]
    pub fn of(tape: &Tape, roots: &[NodeId]) -> Self {
        let live = tape.cone(roots);
        let nodes: Vec<NodeId> = (0..tape.len() as u32).map(NodeId).filter(|i| live[i.index()]).collect();
        let choices = nodes.iter().any(|i| matches!(tape.node(*i), TapeNode::If(..)));
        Cone { nodes, choices }
    }
}
