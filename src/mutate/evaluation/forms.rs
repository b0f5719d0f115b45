//! Textbook forms: what a function is in formulas, and what that cancels, overflows or rounds twice.

use super::{Programs, alike, number, operands, pair};
use crate::mutate::sites::{self, Site};
use crate::num::Rational;
use crate::ops::Op;
use crate::spec::core::{Constant, Expr, ExprKind, Span};

pub(super) fn generate(all: &[Site<'_>], out: &mut Programs<'_, '_, '_>) {
    for site in all.iter().filter(|s| !s.truth) {
        for form in of(site.expr) {
            out.form(site, form);
        }
    }
}

/// Makes expressions that stand where another did.
#[derive(Clone, Copy)]
pub(super) struct At(pub(super) Span);

impl At {
    pub(super) fn number(self, n: i32) -> Expr {
        sites::literal(Rational::from(n), self.0)
    }

    fn half(self) -> Expr {
        sites::literal(Rational::from((1, 2)), self.0)
    }

    fn constant(self, c: Constant) -> Expr {
        sites::made(ExprKind::Constant(c), self.0)
    }

    pub(super) fn op<const N: usize>(self, op: Op, args: [&Expr; N]) -> Expr {
        sites::op(op, args.into_iter().cloned().collect(), self.0)
    }

    pub(super) fn square(self, x: &Expr) -> Expr {
        self.op(Op::Mul, [x, x])
    }
}

/// The other forms of an expression.
fn of(e: &Expr) -> Vec<Expr> {
    let at = At(e.span);
    let ExprKind::Op(op, args) = &e.kind else { return Vec::new() };
    let mut forms = match args.as_slice() {
        [u] => of_one(at, *op, u),
        [u, v] => of_two(at, *op, u, v),
        [a, b, c] if *op == Op::Fma => vec![at.op(Op::Add, [&at.op(Op::Mul, [a, b]), c])],
        _ => Vec::new(),
    };
    forms.extend(double_of_square_of_sine(at, e));
    forms
}

fn of_one(at: At, op: Op, u: &Expr) -> Vec<Expr> {
    let one = at.number(1);
    let two = at.number(2);
    let exp = |x: &Expr| at.op(Op::Exp, [x]);
    let half = |x: &Expr| at.op(Op::Div, [x, &two]);
    let log = |x: &Expr| at.op(Op::Log, [x]);
    let add = |x: &Expr, y: &Expr| at.op(Op::Add, [x, y]);
    let sub = |x: &Expr, y: &Expr| at.op(Op::Sub, [x, y]);
    let div = |x: &Expr, y: &Expr| at.op(Op::Div, [x, y]);
    let negative = at.op(Op::Neg, [u]);
    let root = |x: &Expr| at.op(Op::Sqrt, [x]);
    let (e, inverse) = (exp(u), exp(&negative));
    match op {
        Op::Expm1 => vec![sub(&e, &one)],
        Op::Log1p => vec![log(&add(&one, u))],
        Op::Sinh => vec![half(&sub(&e, &inverse)), half(&sub(&e, &div(&one, &e)))],
        Op::Cosh => vec![half(&add(&e, &inverse)), half(&add(&e, &div(&one, &e)))],
        Op::Tanh => {
            let twice = exp(&at.op(Op::Mul, [&two, u]));
            vec![
                div(&sub(&twice, &one), &add(&twice, &one)),
                div(&sub(&e, &inverse), &add(&e, &inverse)),
                div(&at.op(Op::Sinh, [u]), &at.op(Op::Cosh, [u])),
                sub(&one, &div(&two, &add(&twice, &one))),
            ]
        }
        Op::Asinh => vec![log(&add(u, &root(&add(&at.square(u), &one))))],
        Op::Acosh => vec![log(&add(u, &root(&sub(&at.square(u), &one))))],
        Op::Atanh => {
            let quotient = div(&add(&one, u), &sub(&one, u));
            let apart = sub(&log(&add(&one, u)), &log(&sub(&one, u)));
            vec![half(&log(&quotient)), half(&apart)]
        }
        Op::Cbrt => vec![at.op(Op::Pow, [u, &div(&one, &at.number(3))])],
        Op::Sqrt => vec![at.op(Op::Pow, [u, &at.half()])],
        Op::Exp2 => vec![exp(&at.op(Op::Mul, [u, &at.constant(Constant::Ln2)])), at.op(Op::Pow, [&two, u])],
        Op::Log2 => vec![div(&log(u), &at.constant(Constant::Ln2))],
        Op::Log10 => vec![div(&log(u), &at.constant(Constant::Ln10))],
        Op::Erfc => vec![sub(&one, &at.op(Op::Erf, [u]))],
        Op::Tan => vec![div(&at.op(Op::Sin, [u]), &at.op(Op::Cos, [u]))],
        Op::Asin => {
            let leg = root(&sub(&one, &at.square(u)));
            vec![at.op(Op::Atan, [&div(u, &leg)]), at.op(Op::Atan2, [u, &leg])]
        }
        Op::Acos => {
            let leg = root(&sub(&one, &at.square(u)));
            vec![at.op(Op::Atan2, [&leg, u]), sub(&at.constant(Constant::Pi2), &at.op(Op::Asin, [u]))]
        }
        Op::Fabs => vec![root(&at.square(u))],
        Op::Lgamma => vec![log(&at.op(Op::Fabs, [&at.op(Op::Tgamma, [u])]))],
        Op::Tgamma => vec![exp(&at.op(Op::Lgamma, [u]))],
        _ => Vec::new(),
    }
}

fn of_two(at: At, op: Op, u: &Expr, v: &Expr) -> Vec<Expr> {
    match op {
        Op::Hypot => {
            let squares = at.op(Op::Add, [&at.square(u), &at.square(v)]);
            vec![at.op(Op::Sqrt, [&squares])]
        }
        Op::Atan2 => vec![at.op(Op::Atan, [&at.op(Op::Div, [u, v])])],
        Op::Pow => of_power(at, u, v),
        Op::Fdim => {
            let zero = at.number(0);
            vec![at.op(Op::Fmax, [&at.op(Op::Sub, [u, v]), &zero])]
        }
        Op::Sub => of_difference(at, u, v),
        Op::Mul => {
            // (a - b)(a + b), in either order.
            let product = |x: &Expr, y: &Expr| {
                let ((a, b), (c, d)) = (pair(x, Op::Sub)?, pair(y, Op::Add)?);
                let same = (alike(a, c) && alike(b, d)) || (alike(a, d) && alike(b, c));
                same.then(|| at.op(Op::Sub, [&at.square(a), &at.square(b)]))
            };
            product(u, v).or_else(|| product(v, u)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The largest power that is written out as a product.
const PRODUCT: i32 = 8;

fn of_power(at: At, u: &Expr, v: &Expr) -> Vec<Expr> {
    let natural = at.op(Op::Exp, [&at.op(Op::Mul, [v, &at.op(Op::Log, [u])])]);
    let whole = number(v).filter(|n| n.is_integer()).and_then(|n| n.numer().to_i32());
    match whole {
        Some(n) if (2..=PRODUCT).contains(&n) => vec![sites::op(Op::Mul, vec![u.clone(); n as usize], at.0)],
        Some(_) => Vec::new(),
        None => vec![natural],
    }
}

/// What an expression is the square of.
fn squared(e: &Expr) -> Option<Expr> {
    if let Some((a, b)) = pair(e, Op::Mul)
        && alike(a, b)
    {
        return Some(a.clone());
    }
    if let Some((a, two)) = pair(e, Op::Pow)
        && number(two).is_some_and(|n| *n == 2)
    {
        return Some(a.clone());
    }
    number(e).filter(|n| **n == 1).map(|_| e.clone())
}

fn of_difference(at: At, u: &Expr, v: &Expr) -> Vec<Expr> {
    let mut forms = Vec::new();
    if let (Some(a), Some(b)) = (squared(u), squared(v)) {
        forms.push(at.op(Op::Mul, [&at.op(Op::Sub, [&a, &b]), &at.op(Op::Add, [&a, &b])]));
    }
    // 1 - cos a = 2 sin^2 (a / 2)
    if let (Some(one), Some([angle])) = (number(u), operands(v, Op::Cos))
        && *one == 1
    {
        let sine = at.op(Op::Sin, [&at.op(Op::Div, [angle, &at.number(2)])]);
        forms.push(at.op(Op::Mul, [&at.number(2), &at.square(&sine)]));
    }
    // The conjugate quotient: a - b = (a^2 - b^2) / (a + b).
    let root = |e: &Expr| operands(e, Op::Sqrt).map(|args| args[0].clone());
    if root(u).is_some() || root(v).is_some() {
        let square = |e: &Expr| root(e).unwrap_or_else(|| at.square(e));
        let squares = at.op(Op::Sub, [&square(u), &square(v)]);
        forms.push(at.op(Op::Div, [&squares, &at.op(Op::Add, [u, v])]));
    }
    forms
}

/// 2 sin^2 a = 1 - cos 2a, however the product is written.
fn double_of_square_of_sine(at: At, e: &Expr) -> Option<Expr> {
    let factors = operands(e, Op::Mul)?;
    let (twos, rest): (Vec<&Expr>, Vec<&Expr>) = factors.iter().partition(|f| number(f).is_some_and(|n| *n == 2));
    let sine = match (twos.len(), rest.as_slice()) {
        (1, [square]) => squared(square)?,
        (1, [a, b]) if alike(a, b) => Expr::clone(a),
        _ => return None,
    };
    let [angle] = operands(&sine, Op::Sin)? else { return None };
    let twice = at.op(Op::Mul, [&at.number(2), angle]);
    Some(at.op(Op::Sub, [&at.number(1), &at.op(Op::Cos, [&twice])]))
}
