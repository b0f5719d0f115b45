//! Mistakes in formulas that no mutant makes: units of angles and of temperatures, functions of `float` where `double` is owed,
//! and what is done to the result.

use crate::num::Rational;
use crate::ops::{Constant, Op};
use crate::spec::core::{Expr, ExprKind};

/// What an implementation may compute instead of a formula, in words that go on after "your results match".
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    pub(super) text: String,
    pub(super) body: Expr,
    /// Whether results are only near to those of the body, since functions of `float` have errors of their own.
    pub(super) is_of_float: bool,
}

/// Functions of an angle. Of their inverses an angle in degrees is a constant factor, for the most part of the whole result.
const OF_ANGLES: [Op; 3] = [Op::Sin, Op::Cos, Op::Tan];
/// What may be done to a result, with what becomes of it.
const TO_RESULTS: [(Op, &str); 6] = [
    (Op::Fabs, "without the sign"),
    (Op::Trunc, "rounded toward 0 to an integer, as by a conversion to an integer type"),
    (Op::Floor, "rounded down to an integer"),
    (Op::Ceil, "rounded up to an integer"),
    (Op::Nearbyint, "rounded to an integer"),
    (Op::Round, "rounded to an integer, halves away from 0"),
];

/// Another unit of a number: what is done to it.
struct Unit {
    /// In words.
    name: &'static str,
    /// Numerator and denominator of the factor.
    factor: (i64, i64),
    /// Those of what is added then.
    offset: (i64, i64),
}

const fn unit(name: &'static str, factor: (i64, i64), offset: (i64, i64)) -> Unit {
    Unit { name, factor, offset }
}

/// Units that people convert to, or forget to.
const UNITS: [Unit; 6] = [
    unit("converted from degrees Celsius to Fahrenheit", (9, 5), (32, 1)),
    unit("converted from degrees Fahrenheit to Celsius", (5, 9), (-160, 9)),
    unit("converted from degrees Celsius to kelvins", (1, 1), (27315, 100)),
    unit("converted from kelvins to degrees Celsius", (1, 1), (-27315, 100)),
    unit("multiplied by 100, as for percent", (100, 1), (0, 1)),
    unit("divided by 100, as from percent", (1, 100), (0, 1)),
];

impl Unit {
    /// A number in this unit.
    fn of(&self, e: Expr) -> Expr {
        let scaled = times(e, Expr::number(Rational::from(self.factor)));
        Expr::new(ExprKind::Op(Op::Add, vec![scaled, Expr::number(Rational::from(self.offset))]))
    }
}

/// The mistakes that a formula of these inputs gives room for.
pub(super) fn mistakes(formula: &Expr, inputs: &[String]) -> Vec<Mistake> {
    let mut found = Vec::new();
    let mut add = |text: String, body: Expr| found.push(Mistake { text, body, is_of_float: false });
    for (op, what) in TO_RESULTS {
        add(format!("the specification's result {what}"), Expr::new(ExprKind::Op(op, vec![formula.clone()])));
    }
    // A factor alone is found of any results, by what they have in common.
    for unit in UNITS.iter().filter(|unit| unit.offset.0 != 0) {
        add(format!("the specification's result {}", unit.name), unit.of(formula.clone()));
    }
    // A name that a `let` or a loop binds again is not the input everywhere.
    let own: Vec<&String> = inputs.iter().filter(|name| !uses(formula, &|e| binds(e, name))).collect();
    for name in &own {
        for unit in &UNITS {
            let body = changed(formula, &|e| match &e.kind {
                ExprKind::Var(n) if n == *name => Some(unit.of(e.clone()).kind),
                _ => None,
            });
            add(format!("the specification with the input `{name}` {}", unit.name), body);
        }
    }
    if uses(formula, &|e| matches!(&e.kind, ExprKind::Op(op, _) if OF_ANGLES.contains(op))) {
        let around_operands = |factor: fn() -> Expr| {
            changed(formula, &|e| match &e.kind {
                ExprKind::Op(op, operands) if OF_ANGLES.contains(op) => {
                    let scaled = operands.iter().map(|angle| times(angle.clone(), factor())).collect();
                    Some(ExprKind::Op(*op, scaled))
                }
                _ => None,
            })
        };
        add(
            "the specification with the angles that `sin`, `cos` and `tan` get in degrees".into(),
            around_operands(radian),
        );
        add(
            "the specification with the angles that `sin`, `cos` and `tan` get converted to degrees".into(),
            around_operands(degree),
        );
        for name in &own {
            let around_input = |factor: fn() -> Expr| {
                changed(formula, &|e| match &e.kind {
                    ExprKind::Var(n) if n == *name => Some(times(e.clone(), factor()).kind),
                    _ => None,
                })
            };
            add(format!("the specification with the input `{name}` in degrees"), around_input(radian));
            add(format!("the specification with the input `{name}` converted to degrees"), around_input(degree));
        }
    }
    found.extend(functions_of_float(formula));
    found
}

/// The formula with all calls of one function in binary32, for each function that C has for `float` as well.
fn functions_of_float(formula: &Expr) -> impl Iterator<Item = Mistake> {
    let is_of = |e: &Expr, op: Op| matches!(&e.kind, ExprKind::Op(o, _) if *o == op);
    let is_function =
        |op: Op| !matches!(op, Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div) && op.rounds_to().is_none();
    Op::ALL.iter().copied().filter(move |op| is_function(*op) && uses(formula, &|e| is_of(e, *op))).map(move |op| {
        let body = changed(formula, &|e| match &e.kind {
            ExprKind::Op(o, operands) if *o == op => {
                let operands = operands.iter().cloned().map(in_binary32).collect();
                Some(in_binary32(Expr::new(ExprKind::Op(op, operands))).kind)
            }
            _ => None,
        });
        let name = op.name();
        let text = format!("the specification with `{name}` computed in binary32, as `{name}f` of C does");
        Mistake { text, body, is_of_float: true }
    })
}

/// Whether an expression binds a name anew.
fn binds(e: &Expr, name: &str) -> bool {
    match &e.kind {
        ExprKind::Let { bindings, .. } => bindings.iter().any(|(n, _)| n == name),
        ExprKind::Loop(_) => true,
        _ => false,
    }
}

fn uses(e: &Expr, is_it: &impl Fn(&Expr) -> bool) -> bool {
    is_it(e) || e.children().into_iter().any(|part| uses(part, is_it))
}

/// The expression with another one in the place of each that `change` gives one for, parts first.
fn changed(e: &Expr, change: &impl Fn(&Expr) -> Option<ExprKind>) -> Expr {
    let mut new = e.clone();
    for part in new.children_mut() {
        *part = changed(part, change);
    }
    if let Some(kind) = change(&new) {
        new.kind = kind;
    }
    new
}

fn times(e: Expr, factor: Expr) -> Expr {
    Expr::new(ExprKind::Op(Op::Mul, vec![e, factor]))
}

fn in_binary32(e: Expr) -> Expr {
    Expr::new(ExprKind::Op(Op::Binary32, vec![e]))
}

/// The number of radians in a degree.
fn radian() -> Expr {
    quotient(Expr::new(ExprKind::Constant(Constant::Pi)), Expr::number(Rational::from(180)))
}

/// The number of degrees in a radian.
fn degree() -> Expr {
    quotient(Expr::number(Rational::from(180)), Expr::new(ExprKind::Constant(Constant::Pi)))
}

fn quotient(a: Expr, b: Expr) -> Expr {
    Expr::new(ExprKind::Op(Op::Div, vec![a, b]))
}
