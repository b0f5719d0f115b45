//! Proofs by rewriting: chains of laws from one expression to the other, each valid on the domain.
//!
//! For what normal forms miss: functions and their inverses, recurrences, choices and maxima inside other functions. The
//! search for a chain is an e-graph's ([`graph`]), in turns with normal forms, which know arithmetic. A chain that is
//! found proves nothing before every one of its steps has been checked by itself ([`check`]), without the e-graph.

mod cells;
mod check;
pub(super) mod expr;
mod graph;
pub(super) mod laws;

use super::proof::{Proof, ProofKind, Prover};
use crate::spec::InputBox;
use crate::tape::{Builder, NodeId, Tape};
use cells::Cells;
use expr::Expr;
use std::collections::HashMap;

/// What is asked.
struct Problem<'a> {
    tape: &'a Tape,
    conditions: &'a [NodeId],
    domain: &'a InputBox,
    names: &'a [String],
}

impl Problem<'_> {
    /// The domain in a few cells.
    fn cells(&self) -> Cells {
        Cells::new(self.domain, self.tape, self.conditions)
    }

    /// A tape on which the conditions have their places.
    fn builder(&self) -> Builder {
        Builder::on(self.tape.clone())
    }

    /// A prover for a tape that was begun with [`Self::builder`].
    fn prover<'t>(&self, tape: &'t Tape) -> Prover<'t> {
        Prover::new(tape, self.domain, self.conditions).with_names(self.names)
    }

    /// Pairs of nodes, by their indices, that are one function because they have one normal form. The two that are
    /// asked for are compared in any case: their difference may vanish where the forms differ.
    fn same_forms(&self, builder: Builder, nodes: &[NodeId], asked: [Option<usize>; 2]) -> Vec<(usize, usize)> {
        let tape = builder.finish();
        let mut prover = self.prover(&tape);
        let mut first = HashMap::new();
        let mut pairs = Vec::new();
        for (i, node) in nodes.iter().enumerate() {
            let Some(form) = prover.form(*node) else { continue };
            let known = *first.entry(form).or_insert(i);
            if known != i && prover.prove_equal(nodes[known], *node).is_some() {
                pairs.push((known, i));
            }
        }
        if let [Some(f), Some(g)] = asked
            && prover.prove_equal(nodes[f], nodes[g]).is_some()
        {
            pairs.push((f, g));
        }
        pairs
    }
}

/// Prove that `f` and `g` are the same function on the part of `domain` in which all `conditions` hold, by a chain of
/// laws. `None`: not proved.
#[must_use]
pub fn prove_by_rewriting(
    tape: &Tape,
    f: NodeId,
    g: NodeId,
    domain: &InputBox,
    conditions: &[NodeId],
    names: &[String],
) -> Option<Proof> {
    let [left, right] = [Expr::of(tape, f)?, Expr::of(tape, g)?];
    let (tape, conditions) = tape.extract(conditions);
    let problem = Problem { tape: &tape, conditions: &conditions, domain, names };
    // Nearly all that is not equal is seen to differ at some point, at once.
    if !check::agree(&left, &right, &problem) {
        return None;
    }
    let steps = graph::meet(&left, &right, &problem)?;
    let facts = check::checked(&left, &right, &steps, &problem)?;
    let nothing = Vec::new;
    Some(Proof {
        kind: ProofKind::ByRewriting,
        form: String::new(),
        facts,
        shared_needs: nothing(),
        discharged: nothing(),
    })
}

/// A law of rewriting for a reader: what it is about, in FPCore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LawText {
    /// Its name, unique.
    pub name: String,
    /// The names of its variables.
    pub variables: Vec<String>,
    /// What has to hold on the whole domain, as a condition; none if it always holds.
    pub when: Option<String>,
    /// The variables that must have a value on the whole domain.
    pub needed: Vec<String>,
    /// One side.
    pub left: String,
    /// The other side.
    pub right: String,
}

/// All laws that a proof by rewriting may use.
#[must_use]
pub fn laws() -> Vec<LawText> {
    let text = |law: &laws::Law| LawText {
        name: law.name.clone(),
        variables: law.names.clone(),
        when: law.when.as_ref().map(|c| c.expr.text(&law.names)),
        needed: law.needed.iter().map(|i| law.names[*i].clone()).collect(),
        left: law.left.text(&law.names),
        right: law.right.text(&law.names),
    };
    laws::LAWS.iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_comes_after_the_conditions() {
        let mut b = Builder::new(2);
        let (x, y) = (b.var(0), b.var(1));
        let conditions = [b.less(x, y)];
        let tape = b.finish();
        let domain = InputBox { ranges: Vec::new(), formats: Vec::new() };
        let problem = Problem { tape: &tape, conditions: &conditions, domain: &domain, names: &[] };
        assert_eq!(problem.builder().tape().nodes(), tape.nodes());
    }
}
