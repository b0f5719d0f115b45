//! Choices between two forms of one function: a program that goes the other way than the function gets the same value, but
//! for rounding errors. That is what stable formulas are made of.

use super::flow::{Action, Flow};
use crate::equiv::prove_equal;
use crate::num::Interval;
use crate::spec::InputBox;
use crate::tape::eval::Relation;
use crate::tape::{Builder, NodeId, Tape};
use std::cell::OnceCell;

/// The choices of a program, by step.
pub(super) struct Branches<'a> {
    flow: &'a Flow,
    tape: &'a Tape,
    conditions: &'a [NodeId],
    domain: InputBox,
    real: OnceCell<(Tape, Vec<NodeId>)>,
    known: Vec<OnceCell<bool>>,
}

impl<'a> Branches<'a> {
    pub(super) fn new(flow: &'a Flow, (tape, conditions): (&'a Tape, &'a [NodeId]), domain: &[Interval]) -> Self {
        let domain = InputBox { ranges: domain.to_vec(), formats: flow.inputs.clone() };
        let known = vec![OnceCell::new(); flow.steps.len()];
        Branches { flow, tape, conditions, domain, real: OnceCell::new(), known }
    }

    /// Whether it is proved that both branches of a choice are one function on the domain, over the reals.
    pub(super) fn are_one(&self, step: usize) -> bool {
        *self.known[step].get_or_init(|| {
            let (tape, nodes) = self.real.get_or_init(|| real(self.flow, self.tape));
            let [_, then, otherwise] = self.flow.steps[step].operands;
            prove_equal(tape, nodes[then], nodes[otherwise], &self.domain, self.conditions).is_some()
        })
    }
}

/// The steps of a program over the reals, on a tape.
fn real(flow: &Flow, tape: &Tape) -> (Tape, Vec<NodeId>) {
    let mut builder = Builder::on(tape.clone());
    let mut nodes: Vec<NodeId> = Vec::with_capacity(flow.steps.len());
    for step in &flow.steps {
        let at = |k: usize| nodes[step.operands[k]];
        let node = match &step.action {
            Action::Input(i) => builder.var(*i),
            Action::Literal(l) => builder.constant(l.value.clone()),
            Action::Apply(op) => {
                let operands: Vec<NodeId> = (0..op.arity()).map(at).collect();
                builder.op(*op, &operands)
            }
            Action::Convert => at(0),
            Action::Compare(Relation::Less) => builder.less(at(0), at(1)),
            Action::Compare(Relation::LessEq) => builder.less_eq(at(0), at(1)),
            Action::Compare(Relation::Equal) => builder.equal(at(0), at(1)),
            Action::And => builder.and(at(0), at(1)),
            Action::Or => builder.or(at(0), at(1)),
            Action::Not => builder.not(at(0)),
            Action::Truth(t) => builder.boolean(*t),
            Action::Choose => builder.choose(at(0), at(1), at(2)),
        };
        nodes.push(node);
    }
    (builder.finish(), nodes)
}
