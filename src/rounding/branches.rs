//! Choices between two forms of one function: a program that goes the other way than the function gets the same value, but
//! for rounding errors. That is what stable formulas are made of.

use crate::equiv::prove_equal;
use crate::program::{Literal, Program, Step};
use crate::spec::InputBox;
use crate::tape::eval::Relation;
use crate::tape::{Builder, NodeId, Tape};
use std::cell::OnceCell;

/// The choices of a program, by step.
pub(super) struct Branches<'a> {
    program: &'a Program,
    tape: &'a Tape,
    conditions: &'a [NodeId],
    domain: &'a InputBox,
    real: OnceCell<(Tape, Vec<NodeId>)>,
    known: Vec<OnceCell<bool>>,
}

impl<'a> Branches<'a> {
    /// Of a program on the part of a domain where conditions on a tape hold.
    pub(super) fn new(program: &'a Program, domain: &'a InputBox, tape: &'a Tape, conditions: &'a [NodeId]) -> Self {
        let known = vec![OnceCell::new(); program.nodes().len()];
        Branches { program, tape, conditions, domain, real: OnceCell::new(), known }
    }

    /// Whether it is proved that both branches of a choice are one function on the domain, over the reals.
    pub(super) fn are_one(&self, step: usize) -> bool {
        *self.known[step].get_or_init(|| {
            let (tape, nodes) = self.real.get_or_init(|| real(self.program, self.tape));
            let [_, then, otherwise] = self.program.nodes()[step].step.operands().map(|o| nodes[o.index()]);
            prove_equal(tape, then, otherwise, self.domain, self.conditions).is_some()
        })
    }
}

/// The steps of a program over the reals, on a tape.
fn real(program: &Program, tape: &Tape) -> (Tape, Vec<NodeId>) {
    let mut builder = Builder::on(tape.clone());
    let mut nodes: Vec<NodeId> = Vec::with_capacity(program.nodes().len());
    for node in program.nodes() {
        let operands = node.step.operands();
        let at = |k: usize| nodes[operands[k].index()];
        let real = match &node.step {
            Step::Input(i) => builder.var(*i as usize),
            Step::Literal(Literal::Number(r)) => builder.rational(r.clone()),
            Step::Literal(Literal::Named(c)) => builder.named(*c),
            Step::Op(op, _) => {
                let operands: Vec<NodeId> = (0..op.arity()).map(at).collect();
                builder.op(*op, &operands)
            }
            Step::Convert(_) => at(0),
            Step::Compare(Relation::Less, ..) => builder.less(at(0), at(1)),
            Step::Compare(Relation::LessEq, ..) => builder.less_eq(at(0), at(1)),
            Step::Compare(Relation::Equal, ..) => builder.equal(at(0), at(1)),
            // Of a program that has one nothing is asked.
            Step::Classify(..) => builder.undefined(),
            Step::And(..) => builder.and(at(0), at(1)),
            Step::Or(..) => builder.or(at(0), at(1)),
            Step::Not(_) => builder.not(at(0)),
            Step::Truth(t) => builder.boolean(*t),
            Step::If(..) => builder.choose(at(0), at(1), at(2)),
        };
        nodes.push(real);
    }
    (builder.finish(), nodes)
}
