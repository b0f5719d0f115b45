//! Loops and arrays: the mistakes that are made in them. What stands inside, numbers and conditions, are sites like any other.

use super::sites::{self, Site};
use super::{Collector, MutationOperator};
use crate::num::Rational;
use crate::ops::Op;
use crate::spec::core::{Expr, ExprKind, Loop, LoopHead};

/// The mutants of all loops and of all indices among the sites of a body.
pub(super) fn generate(sites: &[Site<'_>], out: &mut Collector<'_>) {
    for site in sites {
        if !out.takes_place(site) {
            continue;
        }
        match &site.expr.kind {
            ExprKind::Loop(l) => {
                bounds(l, site, sites, out);
                order(l, site, out);
                updates(l, site, sites, out);
            }
            // Rows for columns.
            ExprKind::Ref(parts) => {
                for k in 1..parts.len().saturating_sub(1) {
                    let mut swapped = parts.clone();
                    swapped.swap(k, k + 1);
                    out.substitute(site, MutationOperator::Binary, made(ExprKind::Ref(swapped), site));
                }
            }
            _ => {}
        }
    }
}

fn made(kind: ExprKind, site: &Site<'_>) -> Expr {
    sites::expression(kind, site.expr.span)
}

/// The sites of the parts of a loop.
fn parts<'s, 'a>(site: &Site<'_>, sites: &'s [Site<'a>]) -> Vec<&'s Site<'a>> {
    sites.iter().filter(|s| s.parent.is_some_and(|(place, _)| place == site.place)).collect()
}

/// One round too many, and one too few; a bound that is a number has such mutants as a constant.
fn bounds(l: &Loop, site: &Site<'_>, sites: &[Site<'_>], out: &mut Collector<'_>) {
    for bound in parts(site, sites).into_iter().take(l.indices().len()) {
        if matches!(bound.expr.kind, ExprKind::Number(_)) || bound.is_made_up() {
            continue;
        }
        for op in [Op::Sub, Op::Add] {
            let one = sites::literal(Rational::from(1), bound.expr.span);
            out.substitute(
                bound,
                MutationOperator::Constant,
                sites::op(op, vec![bound.expr.clone(), one], bound.expr.span),
            );
        }
    }
}

/// `while` for `while*` and `for` for `for*` (a tensor has variables with a star alone), and two variables of a loop with a star in
/// the other order. Left out where a variable begins as what another one of the loop is: there it would mean something else, or
/// nothing.
fn order(l: &Loop, site: &Site<'_>, out: &mut Collector<'_>) {
    let begins_as = |init: &Expr| l.state.iter().any(|v| mentions(init, &v.name));
    if l.state.len() < 2 || l.state.iter().any(|v| begins_as(&v.init)) {
        return;
    }
    if !matches!(l.head, LoopHead::Tensor(_)) {
        let other = Loop { sequential: !l.sequential, ..l.clone() };
        out.substitute(site, MutationOperator::Binary, made(ExprKind::Loop(Box::new(other)), site));
    }
    for k in (1..l.state.len()).filter(|_| l.sequential) {
        let mut swapped = l.clone();
        swapped.state.swap(k - 1, k);
        out.substitute(site, MutationOperator::Binary, made(ExprKind::Loop(Box::new(swapped)), site));
    }
}

/// A variable that is not updated.
fn updates(l: &Loop, site: &Site<'_>, sites: &[Site<'_>], out: &mut Collector<'_>) {
    let parts = parts(site, sites);
    let first = parts.len().saturating_sub(1 + 2 * l.state.len());
    for (k, v) in l.state.iter().enumerate() {
        let Some(update) = parts.get(first + 2 * k + 1) else { continue };
        if !matches!(update.expr.kind, ExprKind::Number(_)) {
            out.substitute(update, MutationOperator::Delete, sites::var(&v.name, update.expr.span));
        }
    }
}

/// Whether the name occurs, be it as another variable of that name.
fn mentions(e: &Expr, name: &str) -> bool {
    matches!(&e.kind, ExprKind::Var(v) if v == name) || e.children().into_iter().any(|c| mentions(c, name))
}
