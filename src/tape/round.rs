//! A round of a loop as a graph.

use super::node::{NodeId, Tape, TapeNode};

/// What a round of a loop does, on a tape whose inputs are the loop's names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoopRound {
    /// Whether the round takes place.
    pub(super) goes_on: NodeId,
    /// The value of the loop where it does not.
    pub(super) value: NodeId,
    /// The next value of each variable of the loop; none of names that are none.
    pub(super) next: Vec<Option<NodeId>>,
}

impl LoopRound {
    /// Without the names on which neither the rounds nor the value depend. Returns those that are left, in order.
    pub(super) fn reduce(&mut self, tape: &Tape) -> Vec<usize> {
        let used = self.names_for(tape, vec![self.goes_on, self.value]);
        for (k, next) in self.next.iter_mut().enumerate() {
            *next = next.filter(|_| used.contains(&k));
        }
        used
    }

    /// The names on which nodes depend, in this round or by one before, in order.
    pub(super) fn names_for(&self, tape: &Tape, mut open: Vec<NodeId>) -> Vec<usize> {
        let mut used = vec![false; self.next.len()];
        while !open.is_empty() {
            let below = tape.below(&std::mem::take(&mut open));
            for node in below {
                if let TapeNode::Var(k) = tape.node(node)
                    && !std::mem::replace(&mut used[k as usize], true)
                {
                    open.extend(self.next[k as usize]);
                }
            }
        }
        (0..used.len()).filter(|k| used[*k]).collect()
    }
}

/// A tape of a condition and of what some variables become.
pub(super) fn extract_round(
    rounds: &Tape,
    goes_on: NodeId,
    next: &[Option<NodeId>],
) -> (Tape, NodeId, Vec<Option<NodeId>>) {
    let roots: Vec<NodeId> = [goes_on].into_iter().chain(next.iter().flatten().copied()).collect();
    let (tape, found) = rounds.extract(&roots);
    let mut found = found.into_iter();
    let mut place = |_| found.next().expect("a place for each root");
    (tape, place(goes_on), next.iter().map(|next| next.map(&mut place)).collect())
}
