//! A function as a chain of functions of one number, each applied to what the one before it gives, as the rounds of an
//! iteration are.

use super::builder::Builder;
use super::node::{NodeId, Tape, TapeNode};

/// A function that is applied to what the function before it in a chain gives; the first one to the inputs.
pub struct ChainLink {
    /// A tape over one input, or over all inputs of the function for the first link.
    pub tape: Tape,
    /// Where the function is on it.
    pub root: NodeId,
}

/// Whether a node depends on nothing.
fn is_given(node: TapeNode) -> bool {
    matches!(node, TapeNode::Const(_) | TapeNode::Bool(_) | TapeNode::Undefined)
}

impl Tape {
    /// The function at a node as a chain: applied one after the other the links are the function, with a value wherever it has
    /// one. There is none where it depends on no input.
    #[must_use]
    pub fn chain(&self, f: NodeId) -> Vec<ChainLink> {
        let below = self.below(&[f]);
        let mut last_use: Vec<NodeId> = vec![f; self.len()];
        for id in &below {
            self.node(*id).for_each_operand(|o| last_use[o.index()] = *id);
        }
        let is_input = |id: &&NodeId| matches!(self.node(**id), TapeNode::Var(_));
        // Up to which node something before the one at hand is used, or an input comes.
        let mut used_to = below.iter().rfind(is_input).copied().unwrap_or(NodeId(0));
        let (mut links, mut from, mut members) = (Vec::new(), None, Vec::new());
        for &id in below.iter().filter(|id| !is_given(self.node(**id))) {
            members.push(id);
            if used_to <= id {
                links.push(self.link(from, &members));
                (from, members) = (Some(id), Vec::new());
            }
            used_to = used_to.max(last_use[id.index()]);
        }
        links
    }

    /// The last of some nodes as a function of `from`, or of the inputs.
    fn link(&self, from: Option<NodeId>, members: &[NodeId]) -> ChainLink {
        let mut b = Builder::new(if from.is_some() { 1 } else { self.inputs() });
        let mut place: Vec<NodeId> = vec![NodeId(0); self.len()];
        if let Some(from) = from {
            place[from.index()] = b.var(0);
        }
        for &id in members {
            self.node(id).for_each_operand(|o| {
                if is_given(self.node(o)) {
                    place[o.index()] = b.copy(self, self.node(o), &place);
                }
            });
            place[id.index()] = b.copy(self, self.node(id), &place);
        }
        let root = place[members[members.len() - 1].index()];
        let (tape, at) = b.finish().extract(&[root]);
        ChainLink { tape, root: at[0] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Op;
    use crate::tape::eval::Points;
    use crate::tape::evaluate;

    fn value(tape: &Tape, root: NodeId, at: &[f64]) -> f64 {
        let lanes: Vec<[f64; 1]> = at.iter().map(|x| [*x]).collect();
        let mut values = Vec::new();
        evaluate(tape, &mut Points { inputs: &lanes }, &mut values);
        values[root.index()][0]
    }

    #[test]
    fn links_are_cut_where_one_number_is_handed_on() {
        let mut b = Builder::new(2);
        let (x, y) = (b.var(0), b.var(1));
        let mut state = b.op(Op::Mul, &[x, y]);
        for k in 2..5 {
            let k = b.rational(k.into());
            let sine = b.op(Op::Sin, &[state]);
            let cosine = b.op(Op::Cos, &[state]);
            let sum = b.op(Op::Add, &[sine, cosine]);
            state = b.op(Op::Mul, &[sum, k]);
        }
        // The last one needs the first input once more.
        let last = b.op(Op::Sub, &[state, y]);
        let tape = b.finish();
        let chain = tape.chain(state);
        // The product, and a sum and its multiple in each round.
        assert_eq!(chain.len(), 7);
        assert_eq!(tape.chain(last).len(), 1);
        for (x, y) in [(0.5, 0.25), (-3.0, 1.5)] {
            let first = value(&chain[0].tape, chain[0].root, &[x, y]);
            let applied = chain[1..].iter().fold(first, |at, link| value(&link.tape, link.root, &[at]));
            assert_eq!(applied, value(&tape, state, &[x, y]));
        }
    }
}
