//! Mutants of a specification that is a program: those of its formula, each with the roundings of a program. Where another one is an
//! algebraically equal form of it, or the formula in another format, that is a program of its own too.

use super::{Body, Change, Made, Mutant, MutationOperator, OperatorSet, Room, mutants_of_body};
use crate::spec::Spec;
use crate::spec::core::{Expr, ExprKind};
use crate::spec::unroll::{has_loops, unroll};
use std::collections::HashSet;

/// The mutants of a program.
pub(super) fn mutants(spec: &Spec, set: &OperatorSet, room: Room) -> Made {
    let mut stated = spec.clone();
    stated.core.body = spec.stated_body().clone();
    let made = mutants_of_body(&stated, set, room);
    let (mut left_out, names) = (made.left_out, spec.inputs.iter().map(|i| i.name.clone()).collect::<Vec<_>>());
    // Whether the rounds of a body's loops depend on inputs; none where its loops cannot be written out.
    let may_end = |body: &Expr| unroll(&names, body, spec.max_iterations).ok().map(|unrolled| unrolled.may_end);
    let own = has_loops(&spec.core.body) && may_end(&spec.core.body) == Some(true);
    // The program itself is no mutant.
    let mut seen = HashSet::from([spec.core.body.to_string()]);
    let as_program = |mutant: Mutant| {
        let body: Expr = match &mutant.change {
            Change::Body(body) => Expr::clone(body),
            Change::Evaluation(evaluation) => evaluation.expression(),
            Change::Range { .. } | Change::Accuracy(_) => return Some(mutant),
        };
        // With a literal that is none of the format, or a context that is none, it is no program.
        let mut rounded = spec.with_roundings(&body)?;
        if mutant.operator == MutationOperator::Region {
            keep_region(&mut rounded, &body);
        }
        let body = rounded;
        // Rounded, a loop may go round as often as none is followed, and an index may be none.
        if has_loops(&body) && may_end(&body).is_none_or(|depends| depends && !own) {
            left_out += 1;
            return None;
        }
        seen.insert(body.to_string()).then(|| Mutant { change: Change::Body(Body::from(body)), ..mutant })
    };
    let mutants = made.mutants.into_iter().filter_map(as_program).collect();
    Made { mutants, sample: made.sample, left_out }
}

/// Gives a mutant that is wrong on a region the condition that it has without roundings: a region is one of inputs. What the whole
/// returns may be rounded once more.
fn keep_region(rounded: &mut Expr, written: &Expr) {
    let ExprKind::Let { bindings: of, body: from, .. } = &written.kind else { return };
    match &mut rounded.kind {
        ExprKind::Let { bindings, body: to, .. } if bindings[0].0 == of[0].0 => {
            if let (ExprKind::If(to), ExprKind::If(from)) = (&mut to.kind, &from.kind) {
                to[0] = from[0].clone();
            }
        }
        ExprKind::Let { bindings, .. } => keep_region(&mut bindings[0].1, written),
        ExprKind::Op(_, operands) => keep_region(&mut operands[0], written),
        _ => {}
    }
}
