//! Choices of which both branches are near each other where a program may go the other way than the function: two forms of one
//! function, which stable formulas are made of, and pieces that meet, as those of a dead zone or of a limit of the rate do.

use super::fact::{Fact, product};
use super::polynomial::{Enclosed, Quotient, quotients};
use crate::equiv::prove_equal;
use crate::num::directed::{add_up, div_up};
use crate::num::{Interval, Ternary};
use crate::ops::Op;
use crate::program::{Id, Literal, Program, Step};
use crate::spec::InputBox;
use crate::tape::eval::Relation;
use crate::tape::{Builder, NodeId, Tape};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// The choices of a program, by step.
pub(super) struct Branches<'a> {
    program: &'a Program,
    tape: &'a Tape,
    conditions: &'a [NodeId],
    domain: &'a InputBox,
    real: OnceCell<(Tape, Vec<NodeId>)>,
    known: Vec<OnceCell<bool>>,
    quotients: OnceCell<Vec<Option<Quotient>>>,
    distances: RefCell<HashMap<[Id; 4], Option<Distance>>>,
}

/// How far two branches are from each other: with what two other steps differ by, times `factor` and `of_compared`, and the rest,
/// both over `below`.
#[derive(Debug)]
struct Distance {
    factor: Enclosed,
    of_compared: Enclosed,
    rest: Enclosed,
    below: Enclosed,
}

impl Distance {
    /// An upper bound on a box, where what is compared differs by no more than `error`.
    fn most(&self, ranges: &[Interval], error: f64) -> f64 {
        let [factor, of_compared, rest, below] =
            [&self.factor, &self.of_compared, &self.rest, &self.below].map(|part| part.range(ranges));
        if below.mig() == 0.0 {
            return f64::INFINITY;
        }
        let above = add_up(product(product(factor.mag(), of_compared.mag()), error), rest.mag());
        div_up(above, below.mig())
    }
}

impl<'a> Branches<'a> {
    /// Of a program on the part of a domain where conditions on a tape hold.
    pub(super) fn new(program: &'a Program, domain: &'a InputBox, tape: &'a Tape, conditions: &'a [NodeId]) -> Self {
        let known = vec![OnceCell::new(); program.nodes().len()];
        Branches {
            program,
            tape,
            conditions,
            domain,
            real: OnceCell::new(),
            known,
            quotients: OnceCell::new(),
            distances: RefCell::default(),
        }
    }

    /// How far the exact values of both branches of a choice are apart at most, wherever in a box the program goes another way
    /// than the function; infinite where nothing is known. `facts` are those of the steps before.
    pub(super) fn distance(&self, step: usize, ranges: &[Interval], facts: &[Fact]) -> f64 {
        if self.are_one(step) {
            return 0.0;
        }
        let [condition, then, otherwise] = self.program.nodes()[step].step.operands();
        let branches = [then, otherwise].map(|branch| self.taken(branch, facts));
        self.distance_where(condition, branches, ranges, facts)
    }

    /// The same where the condition has another truth value in the program than in the function. Then one of its comparisons
    /// has, and there the two that are compared differ by no more than their errors.
    fn distance_where(&self, condition: Id, branches: [Id; 2], ranges: &[Interval], facts: &[Fact]) -> f64 {
        let fact = &facts[condition.index()];
        if fact.absolute == 0.0 {
            return 0.0;
        }
        match self.program.nodes()[condition.index()].step {
            Step::Not(a) => self.distance_where(a, branches, ranges, facts),
            Step::And(a, b) | Step::Or(a, b) => {
                let of = |part| self.distance_where(part, branches, ranges, facts);
                of(a).max(of(b))
            }
            Step::Compare(_, a, b) => {
                let [x, y] = [a, b].map(|operand| &facts[operand.index()]);
                let error = add_up(x.absolute, y.absolute);
                let [then, otherwise] = branches;
                let mut known = self.distances.borrow_mut();
                let known =
                    known.entry([then, otherwise, a, b]).or_insert_with(|| self.divide([then, otherwise], [a, b]));
                known.as_ref().map_or(f64::INFINITY, |distance| distance.most(ranges, error))
            }
            _ => f64::INFINITY,
        }
    }

    /// The step whose value a choice has on all of a box.
    fn taken(&self, mut step: Id, facts: &[Fact]) -> Id {
        while let Step::If(condition, then, otherwise) = self.program.nodes()[step.index()].step {
            step = match facts[condition.index()].as_truth() {
                Ternary::True => then,
                Ternary::False => otherwise,
                Ternary::Unknown => break,
            };
        }
        step
    }

    /// The difference of two branches as a multiple of the difference of what is compared, and a rest of as few terms that vary
    /// as may be.
    fn divide(&self, branches: [Id; 2], compared: [Id; 2]) -> Option<Distance> {
        let quotients = self.quotients.get_or_init(|| quotients(self.program));
        let difference = |[a, b]: [Id; 2]| {
            let (a, b) = (quotients[a.index()].as_ref()?, quotients[b.index()].as_ref()?);
            Quotient::apply(Op::Sub, &[a, b])
        };
        let (apart, compared) = (difference(branches)?, difference(compared)?);
        let leading = compared.above.varying().filter_map(|(leading, _)| apart.above.divided(&compared.above, leading));
        let (factor, rest) = leading.min_by_key(|(_, rest)| rest.varying().count())?;
        Some(Distance {
            factor: factor.enclosed()?,
            of_compared: compared.below.enclosed()?,
            rest: rest.enclosed()?,
            below: apart.below.enclosed()?,
        })
    }

    /// Whether it is proved that both branches of a choice are one function on the domain, over the reals.
    fn are_one(&self, step: usize) -> bool {
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
