//! Contraction: products and sums in one operation, as compilers make them.

use super::forms::At;
use super::{Programs, operands};
use crate::mutate::sites::Site;
use crate::ops::Op;
use crate::spec::core::{Expr, ExprKind};

pub(super) fn generate(all: &[Site<'_>], out: &mut Programs<'_, '_, '_>) {
    let mut contracted = 0;
    for site in all.iter().filter(|s| !s.truth) {
        let forms = of(&binary(site.expr));
        contracted += forms.len();
        forms.into_iter().for_each(|form| out.form(site, form));
    }
    if contracted > 1 {
        out.form(&all[0], everywhere(all[0].expr));
    }
}

/// A sum or product of many as nested ones of two, to the left.
fn binary(e: &Expr) -> Expr {
    match &e.kind {
        ExprKind::Op(op @ (Op::Add | Op::Sub | Op::Mul), args) if args.len() > 2 => {
            let (first, rest) = args.split_first().expect("more than two");
            rest.iter().fold(first.clone(), |all, more| At(e.span).op(*op, [&all, more]))
        }
        _ => e.clone(),
    }
}

/// The factors of a product, the last one apart.
fn product(e: &Expr) -> Option<(Expr, Expr)> {
    operands(e, Op::Mul)?;
    match binary(e).kind {
        ExprKind::Op(Op::Mul, args) => <[Expr; 2]>::try_from(args).ok().map(|[a, b]| (a, b)),
        _ => None,
    }
}

/// The sum with a product of it contracted: one form for each operand that is a product.
fn of(e: &Expr) -> Vec<Expr> {
    let at = At(e.span);
    let ExprKind::Op(op @ (Op::Add | Op::Sub), args) = &e.kind else { return Vec::new() };
    let [a, b] = args.as_slice() else { return Vec::new() };
    let mut forms = Vec::new();
    if let Some((p, q)) = product(a) {
        let addend = if *op == Op::Sub { at.op(Op::Neg, [b]) } else { b.clone() };
        forms.push(at.op(Op::Fma, [&p, &q, &addend]));
    }
    if let Some((p, q)) = product(b) {
        let p = if *op == Op::Sub { at.op(Op::Neg, [&p]) } else { p };
        forms.push(at.op(Op::Fma, [&p, &q, a]));
    }
    forms
}

/// Every sum that can be contracted is, the first product of two.
fn everywhere(e: &Expr) -> Expr {
    let mut whole = binary(e);
    whole.children_mut().into_iter().for_each(|a| *a = everywhere(a));
    of(&whole).into_iter().next().unwrap_or(whole)
}
