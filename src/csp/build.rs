//! Specification, mutant and encoding -> constraints.

use super::tolerance::{Guess, LowerTolerance};
use crate::floats::Format;
use crate::num::Interval;
use crate::ops::Op;
use crate::oracle::Function;
use crate::solve::{Constraint, Constraints};
use crate::spec::{Accuracy, InputBox};
use crate::tape::diff::difference;
use crate::tape::diff::relative::relative_difference;
use crate::tape::simplify::{has_choices, simplify};
use crate::tape::{Builder, NodeId, Tape, TapeNode};

/// How "must differ" is written as constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// |f - g| > t_f + t_g: the valid sets are disjoint, which is the verdict KO itself. The default.
    #[default]
    Separation,
    /// The paper's four problems: a result y that is valid for one and not for the other.
    Paper,
}

/// A specification's function f and a mutant's function g on one small tape, with what is needed to compare them.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The tape with everything below.
    pub tape: Tape,
    /// The specification's function.
    pub f: NodeId,
    /// The mutant's function.
    pub g: NodeId,
    /// What the domain asks for beyond its box.
    pub conditions: Vec<NodeId>,
    /// The accuracy of the specification.
    pub spec_accuracy: Accuracy,
    /// The accuracy of the mutant.
    pub mutant_accuracy: Accuracy,
}

impl Pair {
    /// Take what is needed of a larger tape.
    #[must_use]
    pub fn extract(
        tape: &Tape,
        f: NodeId,
        g: NodeId,
        conditions: &[NodeId],
        spec: &Accuracy,
        mutant: &Accuracy,
    ) -> Self {
        let roots: Vec<NodeId> = [f, g].into_iter().chain(conditions.iter().copied()).collect();
        let (tape, roots) = tape.extract(&roots);
        Pair {
            tape,
            f: roots[0],
            g: roots[1],
            conditions: roots[2..].to_vec(),
            spec_accuracy: spec.clone(),
            mutant_accuracy: mutant.clone(),
        }
    }

    /// The same functions on a box, with the choices made that the box decides.
    #[must_use]
    pub fn simplified(&self, domain: &InputBox) -> Pair {
        if !has_choices(&self.tape) {
            return self.clone();
        }
        let roots: Vec<NodeId> = [self.f, self.g].into_iter().chain(self.conditions.iter().copied()).collect();
        let (tape, at) = simplify(&self.tape, &roots, &domain.ranges);
        Pair { tape, f: at[0], g: at[1], conditions: at[2..].to_vec(), ..self.clone() }
    }

    /// That the conditions hold and the specification's function has a value.
    #[must_use]
    pub fn where_defined(&self) -> Constraints {
        let conditions = self.conditions.iter().map(|c| Constraint::holds(*c));
        let list: Vec<Constraint> = std::iter::once(Constraint::has_value(self.f)).chain(conditions).collect();
        Constraints::extracted(&self.tape, &list)
    }

    /// The specification, to be evaluated.
    #[must_use]
    pub fn spec(&self) -> Function<'_> {
        Function { tape: &self.tape, root: self.f, accuracy: &self.spec_accuracy }
    }

    /// The specification's tolerance, for guessing.
    #[must_use]
    pub fn spec_tolerance(&self) -> Guess {
        Guess::new(&self.spec_accuracy)
    }

    /// The mutant's tolerance, for guessing.
    #[must_use]
    pub fn mutant_tolerance(&self) -> Guess {
        Guess::new(&self.mutant_accuracy)
    }

    /// The mutant, to be evaluated.
    #[must_use]
    pub fn mutant(&self) -> Function<'_> {
        Function { tape: &self.tape, root: self.g, accuracy: &self.mutant_accuracy }
    }
}

/// One problem: a point of the box at which the conditions hold and `gap > 0`.
#[derive(Clone, Debug)]
pub struct Csp {
    /// That the gap is not negative, and then that the conditions hold; with the tape of everything below.
    pub constraints: Constraints,
    /// The box to search: the inputs, and y last in the paper's encoding.
    pub start: InputBox,
    /// How many of the box's dimensions are inputs.
    pub inputs: usize,
    /// The specification's function.
    pub f: NodeId,
    /// The mutant's function.
    pub g: NodeId,
    /// Positive where the valid sets are separated (or y tells them apart). An upper bound of the true gap: where it
    /// is not positive there is no kill by value.
    pub gap: NodeId,
    /// Where it is defined and not positive there is no kill by value either: the gap in units of |f|, common factors
    /// cancelled.
    pub relative: Option<RelativeGap>,
    /// The scale of the gap: the tolerance.
    pub scale: NodeId,
    /// Nodes on which g depends and f does not: only they can leave g without a value where f has one.
    pub exclusive: Vec<NodeId>,
    /// Nodes of the gap that are neither part of f nor of g: where one of them has no value, the gap may have none
    /// although f and g have, and says nothing.
    pub auxiliary: Vec<NodeId>,
    /// Whether a value is chosen by a condition, so that a node without a value need not matter.
    pub conditional: bool,
}

/// A gap in units of |f|.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelativeGap {
    /// The distance less the room.
    pub gap: NodeId,
    /// The tolerances in units of |f|: more than 1 where they are wide or g is far away.
    pub room: NodeId,
}

impl Csp {
    /// The problems whose solutions together are all kills of the pair in `domain`: one for [`Encoding::Separation`],
    /// four for [`Encoding::Paper`].
    #[must_use]
    pub fn build(pair: &Pair, domain: &InputBox, encoding: Encoding) -> Vec<Csp> {
        match encoding {
            Encoding::Separation => vec![separation(pair, domain)],
            Encoding::Paper => (0..4).map(|k| paper(pair, domain, k)).collect(),
        }
    }
}

impl Csp {
    /// The expressions.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.constraints.tape
    }

    /// Conditions that must hold.
    pub fn conditions(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.constraints.list.iter().skip(1).map(|c| c.node)
    }
}

fn separation(pair: &Pair, domain: &InputBox) -> Csp {
    let mut b = Builder::on(pair.tape.clone());
    b.announce(&domain.ranges);
    let d = difference(&mut b, pair.f, pair.g);
    let distance = b.op(Op::Fabs, &[d]);
    let tf = LowerTolerance::new(&pair.spec_accuracy).node(&mut b, pair.f);
    let tg = LowerTolerance::new(&pair.mutant_accuracy).node(&mut b, pair.g);
    let scale = b.op(Op::Add, &[tf, tg]);
    let gap = b.op(Op::Sub, &[distance, scale]);
    let relative = relative_gap(pair, &mut b);
    finish(pair, b, (gap, relative), scale, domain.clone())
}

/// Problem `k` of four: y in V_S and below V_M, y in V_S and above, y in V_M and below V_S, y in V_M and above.
fn paper(pair: &Pair, domain: &InputBox, k: usize) -> Csp {
    let mut tape = pair.tape.clone();
    let inputs = tape.inputs;
    tape.inputs += 1;
    let mut b = Builder::on(tape);
    let y = b.var(inputs);
    let tf = LowerTolerance::new(&pair.spec_accuracy).node(&mut b, pair.f);
    let tg = LowerTolerance::new(&pair.mutant_accuracy).node(&mut b, pair.g);
    let (inside, outside) = if k < 2 { ((pair.f, tf), (pair.g, tg)) } else { ((pair.g, tg), (pair.f, tf)) };
    let (lower, upper) = (b.op(Op::Sub, &[inside.0, inside.1]), b.op(Op::Add, &[inside.0, inside.1]));
    let valid = [b.op(Op::Sub, &[y, lower]), b.op(Op::Sub, &[upper, y])];
    let invalid = if k.is_multiple_of(2) {
        let end = b.op(Op::Sub, &[outside.0, outside.1]);
        b.op(Op::Sub, &[end, y])
    } else {
        let end = b.op(Op::Add, &[outside.0, outside.1]);
        b.op(Op::Sub, &[y, end])
    };
    let both = b.op(Op::Fmin, &valid);
    let gap = b.op(Op::Fmin, &[both, invalid]);
    let mut start = domain.clone();
    // Any real number, be there a representable one in the sets or not.
    start.ranges.push(Interval::ENTIRE);
    start.formats.push(Format::BINARY64);
    finish(pair, b, (gap, None), tf, start)
}

/// |q| - (r_f + r_g |1 - q|) with q = (f - g) / f, where both accuracies have a relative part.
fn relative_gap(pair: &Pair, b: &mut Builder) -> Option<RelativeGap> {
    let (rf, rg) =
        (LowerTolerance::new(&pair.spec_accuracy).relative, LowerTolerance::new(&pair.mutant_accuracy).relative);
    if rf == 0 || rg == 0 {
        return None;
    }
    let q = relative_difference(b, pair.f, pair.g);
    let (rf, rg, one) = (b.rational(rf), b.rational(rg), b.rational(1.into()));
    let distance = b.op(Op::Fabs, &[q]);
    let rest = b.op(Op::Sub, &[one, q]);
    let rest = b.op(Op::Fabs, &[rest]);
    let rest = b.op(Op::Mul, &[rg, rest]);
    let room = b.op(Op::Add, &[rf, rest]);
    Some(RelativeGap { gap: b.op(Op::Sub, &[distance, room]), room })
}

fn finish(
    pair: &Pair,
    b: Builder,
    (gap, relative): (NodeId, Option<RelativeGap>),
    scale: NodeId,
    start: InputBox,
) -> Csp {
    let of_relative = relative.map_or([gap; 2], |r| [r.gap, r.room]);
    let roots: Vec<NodeId> =
        [pair.f, pair.g, gap, scale].into_iter().chain(of_relative).chain(pair.conditions.iter().copied()).collect();
    let (tape, at) = b.finish().extract(&roots);
    let (f, g) = (at[0], at[1]);
    let (of_f, of_g) = (tape.cone(&[f]), tape.cone(&[g]));
    let exclusive = (0..tape.len() as u32).map(NodeId).filter(|i| of_g[i.index()] && !of_f[i.index()]).collect();
    let of_gap = tape.cone(&[at[2]]);
    let auxiliary = (0..tape.len() as u32)
        .map(NodeId)
        .filter(|i| of_gap[i.index()] && !of_f[i.index()] && !of_g[i.index()])
        .collect();
    let conditional =
        tape.nodes().iter().zip(of_f.iter().zip(&of_g)).any(|(n, (a, b))| matches!(n, TapeNode::If(..)) && (*a || *b));
    let conditions = at[6..].iter().map(|c| Constraint::holds(*c));
    let list = std::iter::once(Constraint::not_negative(at[2])).chain(conditions).collect();
    let inputs = start.ranges.len() - usize::from(start.ranges.len() > pair.tape.inputs());
    Csp {
        constraints: Constraints::new(tape, list),
        start,
        inputs,
        f,
        g,
        gap: at[2],
        relative: relative.map(|_| RelativeGap { gap: at[4], room: at[5] }),
        scale: at[3],
        exclusive,
        auxiliary,
        conditional,
    }
}
