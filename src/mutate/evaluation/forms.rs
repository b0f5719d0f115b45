//! Textbook forms: what a function is in formulas, and what that cancels, overflows or rounds twice. Those of one operator
//! whatever its operands are stand with the operator ([`Shape::forms`](crate::ops::Shape::forms)).

use super::{Programs, alike, number, operands, pair};
use crate::mutate::sites::{self, Site};
use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind};
use crate::spec::parse_rational;
use crate::text::Span;

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
    let mut forms: Vec<Expr> = op.shape().forms.iter().filter_map(|form| read(at, form, args)).collect();
    if let [u, v] = args.as_slice() {
        forms.extend(of_two(at, *op, u, v));
    }
    forms.extend(double_of_square_of_sine(at, e));
    forms
}

/// An operator's own form, of its operands.
fn read(at: At, form: &str, args: &[Expr]) -> Option<Expr> {
    let spaced = form.replace('(', " ( ").replace(')', " ) ");
    // The expressions of the lists that are open, each with its operator's name first.
    let mut open: Vec<(&str, Vec<Expr>)> = Vec::new();
    let mut tokens = spaced.split_whitespace();
    while let Some(token) = tokens.next() {
        let argument = ["x", "y", "z"].iter().position(|name| *name == token).and_then(|k| args.get(k));
        let done = match token {
            "(" => {
                open.push((tokens.next()?, Vec::new()));
                continue;
            }
            ")" => {
                let (name, operands) = open.pop()?;
                sites::op(Op::from_fpcore(name, operands.len())?, operands, at.0)
            }
            _ if let Some(argument) = argument => argument.clone(),
            _ => match Constant::ALL.iter().find(|c| c.name() == token) {
                Some(constant) => sites::expression(ExprKind::Constant(*constant), at.0),
                None => sites::literal(parse_rational(token).ok()?, at.0),
            },
        };
        match open.last_mut() {
            Some((_, operands)) => operands.push(done),
            None => return Some(done),
        }
    }
    None
}

/// Forms that depend on what the operands are.
fn of_two(at: At, op: Op, u: &Expr, v: &Expr) -> Vec<Expr> {
    match op {
        Op::Pow => of_power(at, u, v),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floats::Format;
    use crate::program::Program;

    #[test]
    fn forms_of_operators_are_the_same_functions() {
        let at = At(Span::default());
        let names = ["x", "y", "z"].map(String::from);
        let variables = names.clone().map(|name| sites::expression(ExprKind::Var(name), at.0));
        let format = Format::BINARY64;
        let mut checked = 0;
        for op in Op::ALL {
            for form in op.shape().forms {
                let read = read(at, form, &variables[..op.arity()]).expect(form);
                let program = Program::new(&names, &read, format, format);
                for x in [[0.3, 0.6, 0.2], [0.7, -0.4, 2.0], [1.4, 0.9, -1.0]] {
                    let [direct, made] = [op.point(&x[..op.arity()]), program.point(&x, &mut Vec::new())];
                    let close = (direct - made).abs() <= 1e-12 * direct.abs();
                    // Where an angle is in another quadrant, or a value is not real, the form is another function.
                    assert!(close || direct.is_nan() || x[1] < 0.0 && *op == Op::Atan2, "{op:?} and {form} at {x:?}");
                    checked += u32::from(close);
                }
            }
        }
        assert!(checked > 60, "{checked}");
    }
}
