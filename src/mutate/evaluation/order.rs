//! Other orders of sums and products, and quotients written otherwise.

use super::forms::At;
use super::{Programs, number, pair};
use crate::mutate::sites::Site;
use crate::ops::Op;
use crate::spec::core::{Expr, ExprKind};

pub(super) fn generate(all: &[Site<'_>], out: &mut Programs<'_, '_, '_>) {
    // The expressions around a site, outermost first.
    let mut around: Vec<&Expr> = Vec::new();
    for site in all {
        around.truncate(site.level);
        let above = around.last().copied();
        around.push(site.expr);
        if site.truth {
            continue;
        }
        // A part of a sum is dealt with as part of it.
        let inside = |kind: fn(&Expr) -> bool| above.is_some_and(kind);
        if is_sum(site.expr) && !inside(is_sum) {
            sums(site, out);
        }
        if is_product(site.expr) && !inside(is_product) {
            products(site, out);
        }
        if let Some((a, b)) = pair(site.expr, Op::Div) {
            quotients(site, a, b, out);
        }
        distributed(site, out);
    }
}

fn is_sum(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Add | Op::Sub, _))
}

fn is_product(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Op(Op::Mul | Op::Div, _))
}

/// A part of a sum or product, and whether it is subtracted or a divisor.
pub(super) type Part = (Expr, bool);

/// The parts of nested `plus` and `minus` operators.
pub(super) fn parts(e: &Expr, (plus, minus): (Op, Op), inverse: bool, out: &mut Vec<Part>) {
    match &e.kind {
        ExprKind::Op(op, args) if *op == plus || *op == minus => {
            for (k, arg) in args.iter().enumerate() {
                parts(arg, (plus, minus), inverse != (*op == minus && k > 0), out);
            }
        }
        _ => out.push((e.clone(), inverse)),
    }
}

/// The sum of two parts, itself one.
fn sum(at: At, (a, minus_a): Part, (b, minus_b): Part) -> Part {
    match (minus_a, minus_b) {
        (false, false) => (at.op(Op::Add, [&a, &b]), false),
        (false, true) => (at.op(Op::Sub, [&a, &b]), false),
        (true, false) => (at.op(Op::Sub, [&b, &a]), false),
        (true, true) => (at.op(Op::Add, [&a, &b]), true),
    }
}

/// The product of two parts, itself one.
fn product(at: At, (a, under_a): Part, (b, under_b): Part) -> Part {
    match (under_a, under_b) {
        (false, false) => (at.op(Op::Mul, [&a, &b]), false),
        (false, true) => (at.op(Op::Div, [&a, &b]), false),
        (true, false) => (at.op(Op::Div, [&b, &a]), false),
        (true, true) => (at.op(Op::Mul, [&a, &b]), true),
    }
}

type Join = fn(At, Part, Part) -> Part;

fn leftward(at: At, parts: Vec<Part>, join: Join) -> Option<Part> {
    parts.into_iter().reduce(|all, p| join(at, all, p))
}

fn rightward(at: At, parts: Vec<Part>, join: Join) -> Option<Part> {
    parts.into_iter().rev().reduce(|all, p| join(at, p, all))
}

fn balanced(at: At, mut parts: Vec<Part>, join: Join) -> Option<Part> {
    if parts.len() < 2 {
        return parts.pop();
    }
    let right = parts.split_off(parts.len().div_ceil(2));
    Some(join(at, balanced(at, parts, join)?, balanced(at, right, join)?))
}

/// The orders of at least three parts that somebody would write; of three, all.
fn orders(at: At, parts: &[Part], join: Join) -> Vec<Part> {
    let reversed: Vec<Part> = parts.iter().rev().cloned().collect();
    let mut all = vec![
        leftward(at, parts.to_vec(), join),
        rightward(at, parts.to_vec(), join),
        balanced(at, parts.to_vec(), join),
        leftward(at, reversed, join),
    ];
    if let [a, b, c] = parts {
        all.push(leftward(at, vec![a.clone(), c.clone(), b.clone()], join));
    }
    all.into_iter().flatten().collect()
}

fn sums(site: &Site<'_>, out: &mut Programs<'_, '_, '_>) {
    let (at, mut terms) = (At(site.expr.span), Vec::new());
    parts(site.expr, (Op::Add, Op::Sub), false, &mut terms);
    if terms.len() < 3 {
        return;
    }
    for (e, negative) in orders(at, &terms, sum) {
        out.form(site, if negative { at.op(Op::Neg, [&e]) } else { e });
    }
}

fn products(site: &Site<'_>, out: &mut Programs<'_, '_, '_>) {
    let (at, mut factors) = (At(site.expr.span), Vec::new());
    parts(site.expr, (Op::Mul, Op::Div), false, &mut factors);
    if factors.len() < 3 {
        return;
    }
    let (under, over): (Vec<Part>, Vec<Part>) = factors.iter().cloned().partition(|f| f.1);
    let mut all = orders(at, &factors, product);
    if !under.is_empty() && !over.is_empty() {
        let chain = |first: &[Part], then: &[Part]| leftward(at, [first, then].concat(), product);
        // (a b) / (c d), (a b / c) / d, (a / c / d) b, a (b / (c d)).
        let (above, below) = (leftward(at, over.clone(), product), leftward(at, under.clone(), product));
        all.extend(above.zip(below.clone()).map(|(a, b)| product(at, a, b)));
        all.extend(chain(&over, &under));
        all.extend(chain(&[&over[..1], &under].concat(), &over[1..]));
        if let (Some((last, first)), Some(below)) = (over.split_last(), below)
            && let Some(first) = leftward(at, first.to_vec(), product)
        {
            all.push(product(at, first, product(at, last.clone(), below)));
        }
    }
    for (e, under) in all {
        out.form(site, if under { at.op(Op::Div, [&at.number(1), &e]) } else { e });
    }
}

/// `a / b` as `a (1 / b)`, and `(x + y) / b` as `x / b + y / b`.
fn quotients(site: &Site<'_>, a: &Expr, b: &Expr, out: &mut Programs<'_, '_, '_>) {
    let at = At(site.expr.span);
    if number(a).is_none_or(|n| *n != 1) {
        let inverse = at.op(Op::Div, [&at.number(1), b]);
        out.form(site, at.op(Op::Mul, [a, &inverse]));
    }
    if is_sum(a) {
        let mut terms = Vec::new();
        parts(a, (Op::Add, Op::Sub), false, &mut terms);
        let divided = terms.into_iter().map(|(t, minus)| (at.op(Op::Div, [&t, b]), minus)).collect();
        if let Some((e, false)) = leftward(at, divided, sum) {
            out.form(site, e);
        }
    }
}

/// `a (x + y)` as `a x + a y`.
fn distributed(site: &Site<'_>, out: &mut Programs<'_, '_, '_>) {
    let at = At(site.expr.span);
    let Some((a, b)) = pair(site.expr, Op::Mul) else { return };
    let (factor, over) = match (is_sum(a), is_sum(b)) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        _ => return,
    };
    let mut terms = Vec::new();
    parts(over, (Op::Add, Op::Sub), false, &mut terms);
    let products = terms.into_iter().map(|(t, minus)| (at.op(Op::Mul, [factor, &t]), minus)).collect();
    if let Some((e, false)) = leftward(at, products, sum) {
        out.form(site, e);
    }
}
