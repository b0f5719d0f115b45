//! Mutants of a specification that is a program: those of its formula, each with the roundings of a program. Where another one is an
//! algebraically equal form of it, or the formula in another format, that is a program of its own too.

use super::{Body, Change, Made, Mutant, MutationOperator, OperatorSet, Room, mutants_within};
use crate::spec::Spec;
use crate::spec::core::{Expr, ExprKind};
use std::collections::HashSet;

/// The mutants of a program.
pub(super) fn mutants(spec: &Spec, set: &OperatorSet, room: Room) -> Made {
    let Some(formula) = &spec.formula else { return mutants_within(spec, set, room) };
    let mut real = Spec { formula: None, ..spec.clone() };
    real.core.body = formula.clone();
    let made = mutants_within(&real, set, room);
    // The program itself is no mutant.
    let mut seen = HashSet::from([spec.core.body.to_string()]);
    let as_program = |mutant: Mutant| {
        let body: Expr = match &mutant.change {
            Change::Body(body) => Expr::clone(body),
            Change::Evaluation(evaluation) => evaluation.expression(),
            Change::Range { .. } | Change::Accuracy(_) => return Some(mutant),
        };
        let mut rounded = spec.with_roundings(&body);
        if mutant.operator == MutationOperator::Region {
            keep_region(&mut rounded, &body);
        }
        let body = rounded;
        seen.insert(body.to_string()).then(|| Mutant { change: Change::Body(Body::from(body)), ..mutant })
    };
    Made { mutants: made.mutants.into_iter().filter_map(as_program).collect(), ..made }
}

/// Gives a mutant that is wrong on a region the condition that it has without roundings: a region is one of inputs.
fn keep_region(rounded: &mut Expr, written: &Expr) {
    if let (ExprKind::Let { body: to, .. }, ExprKind::Let { body: from, .. }) = (&mut rounded.kind, &written.kind)
        && let (ExprKind::If(to), ExprKind::If(from)) = (&mut to.kind, &from.kind)
    {
        to[0] = from[0].clone();
    }
}
