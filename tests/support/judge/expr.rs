//! The value of an expression.

use super::loops::{Runs, run};
use super::operators::compare;
use super::value::Tri::{self, Maybe, No, Yes};
use super::value::{Evaluator, Num, holds_zero, is_zero, larger, smaller};
use magneto::num::mpfr::Rational;
use magneto::ops::{Constant, Op};
use magneto::spec::core::{Classify, Compare, Expr, ExprKind};
use magneto::spec::unroll::unknown_function;
use magneto::spec::{Spec, same_expr};

/// The value of an expression.
#[derive(Clone, Debug)]
enum Val {
    Num(Num),
    /// A truth value, and whether it has one.
    Truth(Tri, Tri),
    Array(Vec<Val>),
}

/// Whether two expressions have the same value, if any: they differ in nothing but variables that are the same number.
fn same_here(scope: &[(String, Val)], a: &Expr, b: &Expr) -> bool {
    let number = |name: &String| match scope.iter().rev().find(|(n, _)| n == name) {
        Some((_, Val::Num(x))) if x.defined == Yes && x.lo == x.hi => Some(&x.lo),
        _ => None,
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Var(x), ExprKind::Var(y)) => x == y || number(x).is_some_and(|n| number(y) == Some(n)),
        (ExprKind::Op(f, a), ExprKind::Op(g, b)) => {
            f == g && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_here(scope, a, b))
        }
        _ => same_expr(a, b),
    }
}

/// The sizes of an array.
fn sizes(value: &Val) -> Vec<usize> {
    match value {
        Val::Array(elements) => std::iter::once(elements.len()).chain(sizes(&elements[0])).collect(),
        _ => Vec::new(),
    }
}

/// Evaluates at one input.
struct At<'e>(&'e Evaluator);

impl Runs for At<'_> {
    type Value = Val;
    type Stop = ();

    fn of(&mut self, e: &Expr, scope: &mut Vec<(String, Val)>) -> Result<Val, ()> {
        Ok(self.0.eval(scope, e))
    }

    fn holds(&mut self, e: &Expr, scope: &mut Vec<(String, Val)>) -> Result<bool, ()> {
        match self.0.truth(scope, e) {
            (Yes, Yes) => Ok(true),
            (No, Yes) => Ok(false),
            _ => Err(()),
        }
    }

    fn natural(&mut self, e: &Expr, scope: &mut Vec<(String, Val)>) -> Result<usize, ()> {
        self.0.natural(scope, e).ok_or(())
    }

    fn whole(&mut self, n: usize) -> Val {
        Val::Num(self.0.rational(&Rational::from(n)))
    }

    fn array(&mut self, elements: Vec<Val>) -> Result<Val, ()> {
        Ok(Val::Array(elements))
    }

    fn tired(&mut self) {}
}

impl Evaluator {
    /// The value of an expression, its variables given by `scope` (innermost last).
    fn eval(&self, scope: &mut Vec<(String, Val)>, e: &Expr) -> Val {
        match &e.kind {
            ExprKind::Number(n) => Val::Num(self.rational(&n.value)),
            ExprKind::Constant(Constant::True) => Val::Truth(Yes, Yes),
            ExprKind::Constant(Constant::False) => Val::Truth(No, Yes),
            ExprKind::Constant(c) => Val::Num(self.constant(*c)),
            ExprKind::Var(name) => match scope.iter().rev().find(|(n, _)| n == name) {
                Some((_, v)) => v.clone(),
                None => Val::Num(self.nothing()),
            },
            ExprKind::Op(Op::Sub, args) if args.len() == 2 && same_here(scope, &args[0], &args[1]) => {
                // A number less itself, which no precision shows to be 0.
                let mut zero = self.rational(&Rational::new());
                zero.defined = self.number(scope, &args[0]).defined;
                Val::Num(zero)
            }
            // The tangent of an arc tangent, which no precision shows to be the number.
            ExprKind::Op(Op::Tan, args) if matches!(&args[0].kind, ExprKind::Op(Op::Atan, _)) => {
                self.eval(scope, args[0].children()[0])
            }
            ExprKind::Op(Op::Div, args) if args.len() == 2 && same_here(scope, &args[0], &args[1]) => {
                let a = self.number(scope, &args[0]);
                let one = self.rational(&Rational::from(1));
                let nonzero = if a.defined == No || is_zero(&a) { No } else { Tri::of(!holds_zero(&a), false) };
                Val::Num(Num { defined: a.defined.and(nonzero), ..one })
            }
            ExprKind::Op(op, args) => {
                let values: Vec<Num> = args.iter().map(|a| self.number(scope, a)).collect();
                let n = op.arity();
                let mut y = self.apply(*op, &values[..n].iter().collect::<Vec<_>>());
                for more in &values[n..] {
                    y = self.apply(*op, &[&y, more]);
                }
                Val::Num(y)
            }
            ExprKind::Compare(c, args) => {
                let mut values: Vec<Num> = args.iter().map(|a| self.number(scope, a)).collect();
                if args.len() == 2 && same_here(scope, &args[0], &args[1]) {
                    // They compare as any number does with itself.
                    let zero = self.rational(&Rational::new());
                    values.iter_mut().for_each(|v| *v = Num { defined: v.defined, ..zero.clone() });
                }
                let defined = values.iter().fold(Yes, |d, a| d.and(a.defined));
                if defined == No {
                    return Val::Truth(Maybe, No);
                }
                let mut all = Yes;
                for i in 0..values.len() {
                    for j in i + 1..values.len() {
                        if j == i + 1 || *c == Compare::Ne {
                            all = all.and(compare(*c, &values[i], &values[j]));
                        }
                    }
                }
                Val::Truth(all, defined)
            }
            ExprKind::And(args) => self.fold(scope, args, Yes),
            ExprKind::Or(args) => match self.fold(scope, args, No) {
                Val::Truth(t, d) => Val::Truth(t, d),
                v => v,
            },
            ExprKind::Not(a) => {
                let (t, d) = self.truth(scope, a);
                Val::Truth(t.not(), d)
            }
            ExprKind::Classify(class, a) => {
                let x = self.number(scope, a);
                let zero = self.rational(&Rational::new());
                match class {
                    Classify::IsFinite => Val::Truth(Yes, x.defined),
                    Classify::IsInf | Classify::IsNan => Val::Truth(No, x.defined),
                    Classify::IsNormal => Val::Truth(compare(Compare::Ne, &x, &zero), x.defined),
                    Classify::SignBit => Val::Truth(compare(Compare::Lt, &x, &zero), x.defined),
                }
            }
            ExprKind::If(parts) => {
                let (t, d) = self.truth(scope, &parts[0]);
                if d == No {
                    return Val::Num(self.nothing());
                }
                // A choice between conditions is a condition.
                let branches = [(Yes, &parts[1]), (No, &parts[2])];
                let taken: Vec<Val> =
                    branches.iter().filter(|b| t == Maybe || t == b.0).map(|b| self.eval(scope, b.1)).collect();
                match taken.as_slice() {
                    [Val::Truth(t, own)] => return Val::Truth(*t, own.and(d)),
                    [Val::Truth(p, a), Val::Truth(q, b)] => {
                        let same = |x: Tri, y: Tri| if x == y { x } else { Maybe };
                        return Val::Truth(same(*p, *q), same(*a, *b).and(d));
                    }
                    _ => {}
                }
                let mut taken = taken.into_iter();
                let (first, second) = (taken.next().expect("a branch"), taken.next());
                self.chosen(first, second, d)
            }
            ExprKind::Let { sequential, bindings, body } => {
                let outer = scope.len();
                let mut held = Vec::new();
                for (name, value) in bindings {
                    let v = self.eval(scope, value);
                    if *sequential { scope.push((name.clone(), v)) } else { held.push((name.clone(), v)) }
                }
                scope.append(&mut held);
                let v = self.eval(scope, body);
                scope.truncate(outer);
                v
            }
            ExprKind::Cast(a) | ExprKind::Annotated(_, a) => self.eval(scope, a),
            ExprKind::Array(elements) => Val::Array(elements.iter().map(|e| self.eval(scope, e)).collect()),
            ExprKind::Loop(l) => match run(&mut At(self), l, scope) {
                Ok(value) => value,
                // Whether it goes on is not settled at this precision.
                Err(()) => Val::Num(self.anything(Maybe)),
            },
            ExprKind::Ref(parts) => {
                let mut at = self.eval(scope, &parts[0]);
                for index in &parts[1..] {
                    let place = self.natural(scope, index).expect("an index");
                    at = match at {
                        Val::Array(mut elements) => elements.swap_remove(place),
                        _ => panic!("{e} is asked of no array"),
                    };
                }
                at
            }
            ExprKind::Dim(array) => Val::Num(self.rational(&Rational::from(sizes(&self.eval(scope, array)).len()))),
            ExprKind::Size(parts) => {
                let place = self.natural(scope, &parts[1]).expect("a dimension");
                Val::Num(self.rational(&Rational::from(sizes(&self.eval(scope, &parts[0]))[place])))
            }
            ExprKind::Call(name, _) if unknown_function(name).is_some() => Val::Num(self.anything(Maybe)),
            ExprKind::Call(name, _) => panic!("a call of {name} was not written out"),
        }
    }

    /// What an `if` is that takes the one branch, or one of two; `d` says whether its condition has a value.
    fn chosen(&self, first: Val, second: Option<Val>, d: Tri) -> Val {
        let number = |v: Val| if let Val::Num(x) = v { x } else { panic!("a condition where a number is meant") };
        match (first, second) {
            (Val::Array(all), None) => Val::Array(all.into_iter().map(|v| self.chosen(v, None, d)).collect()),
            (Val::Array(p), Some(Val::Array(q))) => {
                assert_eq!(p.len(), q.len(), "arrays of one size");
                Val::Array(p.into_iter().zip(q).map(|(v, w)| self.chosen(v, Some(w), d)).collect())
            }
            (first, second) => {
                let mut y = match (number(first), second.map(number)) {
                    (a, None) => a,
                    (a, Some(b)) if a.defined == Yes && b.defined == Yes => {
                        self.between(smaller(a.lo, b.lo), larger(a.hi, b.hi), Yes)
                    }
                    (a, Some(b)) if a.defined == No && b.defined == No => self.nothing(),
                    _ => self.anything(Maybe),
                };
                y.defined = y.defined.and(d);
                Val::Num(y)
            }
        }
    }

    /// `and` (from `Yes`) or `or` (from `No`) of conditions.
    fn fold(&self, scope: &mut Vec<(String, Val)>, args: &[Expr], start: Tri) -> Val {
        let (mut all, mut defined) = (start, Yes);
        for a in args {
            let (t, d) = self.truth(scope, a);
            all = if start == Yes { all.and(t) } else { all.not().and(t.not()).not() };
            defined = defined.and(d);
        }
        Val::Truth(all, defined)
    }

    fn number(&self, scope: &mut Vec<(String, Val)>, e: &Expr) -> Num {
        match self.eval(scope, e) {
            Val::Num(x) => x,
            Val::Truth(..) | Val::Array(_) => self.nothing(),
        }
    }

    fn truth(&self, scope: &mut Vec<(String, Val)>, e: &Expr) -> (Tri, Tri) {
        match self.eval(scope, e) {
            Val::Truth(t, d) => (t, d),
            Val::Num(_) | Val::Array(_) => (Maybe, No),
        }
    }

    fn scope(&self, spec: &Spec, input: &[f64]) -> Vec<(String, Val)> {
        let value = |x: &f64| Val::Num(self.rational(&Rational::from_f64(*x).expect("a finite input")));
        let mut scope: Vec<(String, Val)> =
            spec.inputs.iter().map(|i| i.name.clone()).zip(input.iter().map(value)).collect();
        for arg in spec.core.args.iter().filter(|a| !a.sizes.is_empty()) {
            let mut elements: Vec<Val> =
                scope.iter().filter(|(n, _)| n.split('[').next() == Some(&arg.name)).map(|(_, v)| v.clone()).collect();
            for size in arg.sizes.iter().skip(1).rev() {
                elements = elements.chunks(*size).map(|row| Val::Array(row.to_vec())).collect();
            }
            scope.push((arg.name.clone(), Val::Array(elements)));
        }
        scope
    }

    fn natural(&self, scope: &mut Vec<(String, Val)>, e: &Expr) -> Option<usize> {
        let x = self.number(scope, e);
        let exact = (x.defined == Yes && x.lo == x.hi).then(|| x.lo.to_rational())??;
        if exact.is_integer() { exact.numer().to_usize() } else { None }
    }

    /// The value of `body` at an input of `spec`.
    pub(super) fn value(&self, spec: &Spec, body: &Expr, input: &[f64]) -> Num {
        self.number(&mut self.scope(spec, input), body)
    }

    /// Whether a condition on the inputs holds.
    pub(super) fn holds(&self, spec: &Spec, condition: &Expr, input: &[f64]) -> Tri {
        match self.truth(&mut self.scope(spec, input), condition) {
            (_, No) => No,
            (No, _) => No,
            (t, d) => t.and(d),
        }
    }
}
