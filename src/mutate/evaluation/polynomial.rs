//! Polynomials in one expression: in Horner's form, and expanded into powers.

use super::forms::At;
use super::{Programs, number};
use crate::mutate::sites::{self, Site};
use crate::num::Rational;
use crate::ops::Op;
use crate::spec::core::{Expr, ExprKind};

/// The largest degree that is looked at.
const DEGREE: usize = 24;

pub(super) fn generate(all: &[Site<'_>], out: &mut Programs<'_, '_, '_>) {
    // Polynomials, and what is inside of them.
    let mut done = vec![false; all.len()];
    for site in all {
        // A part of a polynomial is none of its own.
        done[site.place] = site.parent.is_some_and(|(parent, _)| done[parent]);
        if site.truth || done[site.place] {
            continue;
        }
        let mut variable = None;
        let Some(coefficients) = coefficients(site.expr, &mut variable) else { continue };
        let Some(x) = variable else { continue };
        let terms = coefficients.iter().filter(|c| **c != 0).count();
        if coefficients.len() < 3 || terms < 2 {
            continue;
        }
        done[site.place] = true;
        out.form(site, horner(At(site.expr.span), &coefficients, &x));
        out.form(site, expanded(At(site.expr.span), &coefficients, &x));
    }
}

/// The coefficients of a polynomial, from the constant on, in `variable`: the first variable that is met.
fn coefficients(e: &Expr, variable: &mut Option<Expr>) -> Option<Vec<Rational>> {
    match &e.kind {
        ExprKind::Number(n) => Some(vec![n.value.clone()]),
        ExprKind::Var(name) => match variable {
            Some(Expr { kind: ExprKind::Var(known), .. }) if known != name => None,
            _ => {
                *variable = Some(e.clone());
                Some(vec![Rational::new(), Rational::from(1)])
            }
        },
        ExprKind::Op(op, args) => {
            if let (Op::Pow, [base, exponent]) = (op, args.as_slice()) {
                let n = number(exponent).filter(|n| n.is_integer() && **n >= 0 && **n <= DEGREE as u32)?;
                let base = coefficients(base, variable)?;
                return (0..n.numer().to_usize()?).try_fold(vec![Rational::from(1)], |all, _| times(&all, &base));
            }
            let parts = args.iter().map(|a| coefficients(a, variable)).collect::<Option<Vec<_>>>()?;
            let (first, rest) = parts.split_first()?;
            match op {
                Op::Add => Some(rest.iter().fold(first.clone(), |all, p| plus(all, p, 1))),
                Op::Sub => Some(rest.iter().fold(first.clone(), |all, p| plus(all, p, -1))),
                Op::Neg => Some(plus(Vec::new(), first, -1)),
                Op::Mul => rest.iter().try_fold(first.clone(), |all, p| times(&all, p)),
                _ => None,
            }
        }
        _ => None,
    }
}

fn plus(mut a: Vec<Rational>, b: &[Rational], sign: i32) -> Vec<Rational> {
    a.resize(a.len().max(b.len()), Rational::new());
    a.iter_mut().zip(b).for_each(|(a, b)| *a += Rational::from(sign) * b);
    while a.last().is_some_and(|c| *c == 0) {
        a.pop();
    }
    a
}

fn times(a: &[Rational], b: &[Rational]) -> Option<Vec<Rational>> {
    let length = (a.len() + b.len()).saturating_sub(1);
    if length > DEGREE + 1 {
        return None;
    }
    let mut all = vec![Rational::new(); length];
    for (i, x) in a.iter().enumerate() {
        b.iter().enumerate().for_each(|(j, y)| all[i + j] += Rational::from(x * y));
    }
    Some(all)
}

/// `x e`, or `e` where that is 1.
fn by(at: At, x: &Expr, e: Expr) -> Expr {
    if number(&e).is_some_and(|n| *n == 1) { x.clone() } else { at.op(Op::Mul, [x, &e]) }
}

/// `c0 + x (c1 + x (c2 + …))`.
fn horner(at: At, coefficients: &[Rational], x: &Expr) -> Expr {
    let literal = |c: &Rational| sites::literal(c.clone(), at.0);
    let (last, rest) = coefficients.split_last().expect("a polynomial");
    rest.iter().rev().fold(literal(last), |inner, c| {
        let product = by(at, x, inner);
        if *c == 0 { product } else { at.op(Op::Add, [&literal(c), &product]) }
    })
}

/// `c0 + c1 x + c2 (x x) + …`, the powers as products.
fn expanded(at: At, coefficients: &[Rational], x: &Expr) -> Expr {
    let mut power: Option<Expr> = None;
    let mut sum: Option<Expr> = None;
    for c in coefficients {
        if *c != 0 {
            let literal = sites::literal(c.clone(), at.0);
            let term = match &power {
                None => literal,
                Some(p) => by(at, p, literal),
            };
            sum = Some(sum.map_or(term.clone(), |s| at.op(Op::Add, [&s, &term])));
        }
        power = Some(power.map_or(x.clone(), |p| at.op(Op::Mul, [&p, x])));
    }
    sum.unwrap_or_else(|| at.number(0))
}
