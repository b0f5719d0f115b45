//! The judge: values, tolerances, verdicts.

mod special;

use magneto::mutate::{Change, Mutant};
use magneto::num::float::Format;
use magneto::num::mpfr::{Float, MpConstant, Pow as _, Rational, Round, Special};
use magneto::ops::Op;
use magneto::spec::core::{Classify, Compare, Constant, Expr, ExprKind, Value};
use magneto::spec::{Accuracy, OutOfRange, Range, Spec, same_expr};
use std::cmp::Ordering;

/// A truth value that may not be settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tri {
    Yes,
    No,
    Maybe,
}
use Tri::{Maybe, No, Yes};

impl Tri {
    fn and(self, other: Tri) -> Tri {
        match (self, other) {
            (No, _) | (_, No) => No,
            (Yes, Yes) => Yes,
            _ => Maybe,
        }
    }

    fn not(self) -> Tri {
        match self {
            Yes => No,
            No => Yes,
            Maybe => Maybe,
        }
    }

    fn of(yes: bool, no: bool) -> Tri {
        if yes {
            Yes
        } else if no {
            No
        } else {
            Maybe
        }
    }
}

/// An enclosure of a number; `exact` where the number is known to be that rational. `defined` is `No` where there is
/// no number; the ends mean nothing then.
#[derive(Clone, Debug)]
pub(crate) struct Num {
    pub(crate) lo: Float,
    pub(crate) hi: Float,
    pub(crate) exact: Option<Rational>,
    pub(crate) defined: Tri,
}

/// The value of an expression.
#[derive(Clone, Debug)]
enum Val {
    Num(Num),
    /// A truth value, and whether it has one.
    Truth(Tri, Tri),
}

/// Evaluates at one precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluator {
    pub(crate) bits: u32,
    /// Whether to follow exact rational values too: dearer, and decides ties and zeros.
    pub(crate) exact: bool,
}

/// Rationals longer than this are not followed.
const LONGEST: u32 = 60_000;

fn is_zero(x: &Num) -> bool {
    x.exact.as_ref().is_some_and(|q| *q == 0) || (x.lo.is_zero() && x.hi.is_zero())
}

fn holds_zero(x: &Num) -> bool {
    !(x.lo > 0 || x.hi < 0)
}

fn integer(x: &Num) -> Option<i64> {
    if let Some(q) = &x.exact {
        return if q.is_integer() { q.numer().to_i64() } else { None };
    }
    if x.lo == x.hi && x.lo.is_integer() { x.lo.to_integer()?.to_i64() } else { None }
}

fn smaller(a: Float, b: Float) -> Float {
    if a <= b { a } else { b }
}

fn larger(a: Float, b: Float) -> Float {
    if a >= b { a } else { b }
}

impl Evaluator {
    fn round(&self, q: &Rational, r: Round) -> Float {
        Float::with_val_round(self.bits, q, r).0
    }

    fn rational(&self, q: &Rational) -> Num {
        let short = q.numer().significant_bits() + q.denom().significant_bits() < LONGEST;
        Num {
            lo: self.round(q, Round::Down),
            hi: self.round(q, Round::Up),
            exact: (self.exact && short).then(|| q.clone()),
            defined: Yes,
        }
    }

    fn nothing(&self) -> Num {
        let nan = Float::with_val(self.bits, Special::Nan);
        Num { lo: nan.clone(), hi: nan, exact: None, defined: No }
    }

    fn anything(&self, defined: Tri) -> Num {
        let (lo, hi) = (Special::NegInfinity, Special::Infinity);
        Num { lo: Float::with_val(self.bits, lo), hi: Float::with_val(self.bits, hi), exact: None, defined }
    }

    fn between(&self, lo: Float, hi: Float, defined: Tri) -> Num {
        if lo.is_nan() || hi.is_nan() {
            return self.anything(defined);
        }
        assert!(lo <= hi, "the judge itself is wrong: [{lo}, {hi}]");
        let small = lo.get_exp().is_none_or(|e| e.unsigned_abs() < LONGEST);
        let exact = if self.exact && lo == hi && small { lo.to_rational() } else { None };
        Num { lo, hi, exact, defined }
    }

    fn constant(&self, c: Constant) -> Num {
        let wide = Evaluator { bits: self.bits + 64, exact: false };
        let n = |k: i32| wide.rational(&Rational::from(k));
        let pi = Num {
            lo: Float::with_val_round(wide.bits, MpConstant::Pi, Round::Down).0,
            hi: Float::with_val_round(wide.bits, MpConstant::Pi, Round::Up).0,
            exact: None,
            defined: Yes,
        };
        let un = |op, x: &Num| wide.apply(op, &[x]);
        let div = |x: &Num, y: &Num| wide.apply(Op::Div, &[x, y]);
        let value = match c {
            Constant::E => un(Op::Exp, &n(1)),
            Constant::Log2E => div(&n(1), &un(Op::Log, &n(2))),
            Constant::Log10E => div(&n(1), &un(Op::Log, &n(10))),
            Constant::Ln2 => un(Op::Log, &n(2)),
            Constant::Ln10 => un(Op::Log, &n(10)),
            Constant::Pi => pi,
            Constant::Pi2 => div(&pi, &n(2)),
            Constant::Pi4 => div(&pi, &n(4)),
            Constant::InvPi => div(&n(1), &pi),
            Constant::TwoInvPi => div(&n(2), &pi),
            Constant::TwoInvSqrtPi => div(&n(2), &un(Op::Sqrt, &pi)),
            Constant::Sqrt2 => un(Op::Sqrt, &n(2)),
            Constant::Sqrt1_2 => div(&n(1), &un(Op::Sqrt, &n(2))),
            _ => return self.nothing(),
        };
        let lo = Float::with_val_round(self.bits, &value.lo, Round::Down).0;
        self.between(lo, Float::with_val_round(self.bits, &value.hi, Round::Up).0, Yes)
    }

    fn increasing(&self, x: &Num, defined: Tri, f: impl Fn(&Float, Round) -> Float) -> Num {
        self.between(f(&x.lo, Round::Down), f(&x.hi, Round::Up), defined)
    }

    fn decreasing(&self, x: &Num, defined: Tri, f: impl Fn(&Float, Round) -> Float) -> Num {
        self.between(f(&x.hi, Round::Down), f(&x.lo, Round::Up), defined)
    }

    /// The extremes at the corners of a box.
    fn corners(&self, x: &Num, y: &Num, f: impl Fn(&Float, &Float, Round) -> Float) -> Num {
        let all = |r: Round, pick: fn(Float, Float) -> Float| {
            let [a, b, c, d] = [f(&x.lo, &y.lo, r), f(&x.lo, &y.hi, r), f(&x.hi, &y.lo, r), f(&x.hi, &y.hi, r)];
            if [&a, &b, &c, &d].into_iter().any(Float::is_nan) { None } else { Some(pick(pick(a, b), pick(c, d))) }
        };
        match (all(Round::Down, smaller), all(Round::Up, larger)) {
            (Some(lo), Some(hi)) => self.between(lo, hi, Yes),
            _ => self.anything(Yes),
        }
    }

    fn abs(&self, x: &Num) -> Num {
        let (a, b) = (Float::with_val(self.bits, x.lo.abs_ref()), Float::with_val(self.bits, x.hi.abs_ref()));
        let lo = if holds_zero(x) { Float::new(self.bits) } else { smaller(a.clone(), b.clone()) };
        self.between(lo, larger(a, b), Yes)
    }

    /// A function whose slope is at most 1 in magnitude.
    fn gentle(&self, x: &Num, f: impl Fn(&Float, Round) -> Float) -> Num {
        // Reducing such an argument takes as many bits as it has.
        let vast = |f: &Float| f.is_infinite() || f.get_exp().is_some_and(|e| e > 1 << 16);
        if vast(&x.lo) || vast(&x.hi) {
            return self.between(Float::with_val(self.bits, -1), Float::with_val(self.bits, 1), Yes);
        }
        let width = Float::with_val_round(self.bits, &x.hi - &x.lo, Round::Up).0;
        let lo = smaller(f(&x.lo, Round::Down), f(&x.hi, Round::Down));
        let hi = larger(f(&x.lo, Round::Up), f(&x.hi, Round::Up));
        let lo = Float::with_val_round(self.bits, &lo - &width, Round::Down).0;
        let hi = Float::with_val_round(self.bits, &hi + &width, Round::Up).0;
        let one = Float::with_val(self.bits, 1);
        let minus = Float::with_val(self.bits, -1);
        if lo.is_nan() || hi.is_nan() {
            return self.between(minus, one, Yes);
        }
        self.between(larger(lo, minus), smaller(hi, one), Yes)
    }

    fn apply(&self, op: Op, args: &[&Num]) -> Num {
        let defined = args.iter().fold(Yes, |d, a| d.and(a.defined));
        if defined == No {
            return self.nothing();
        }
        if self.exact {
            let known: Option<Vec<&Rational>> = args.iter().map(|a| a.exact.as_ref()).collect();
            if let Some(q) = known.and_then(|k| exactly(op, &k)) {
                return Num { defined, ..self.rational(&q) };
            }
        }
        let mut y = self.operate(op, args);
        y.defined = y.defined.and(defined);
        y
    }

    fn operate(&self, op: Op, args: &[&Num]) -> Num {
        let bits = self.bits;
        macro_rules! f {
            ($method:ident) => {
                |x: &Float, r: Round| Float::with_val_round(bits, x.$method(), r).0
            };
        }
        let x = args[0];
        let n = |k: i32| Float::with_val(bits, k);
        // The part of x at least (most) k, and whether x is there.
        let from = |k: i32, strict: bool| {
            let inside = if strict { x.lo > k } else { x.lo >= k };
            let outside = if strict { x.hi <= k } else { x.hi < k };
            (Num { lo: larger(x.lo.clone(), n(k)), ..x.clone() }, Tri::of(inside, outside))
        };
        match op {
            Op::Add => self.between(
                Float::with_val_round(bits, &x.lo + &args[1].lo, Round::Down).0,
                Float::with_val_round(bits, &x.hi + &args[1].hi, Round::Up).0,
                Yes,
            ),
            Op::Sub => self.between(
                Float::with_val_round(bits, &x.lo - &args[1].hi, Round::Down).0,
                Float::with_val_round(bits, &x.hi - &args[1].lo, Round::Up).0,
                Yes,
            ),
            Op::Neg => self.between(Float::with_val(bits, -&x.hi), Float::with_val(bits, -&x.lo), Yes),
            Op::Mul => self.corners(x, args[1], |a, b, r| {
                if a.is_zero() || b.is_zero() {
                    return Float::new(bits);
                }
                Float::with_val_round(bits, a * b, r).0
            }),
            Op::Div if is_zero(args[1]) => self.nothing(),
            Op::Div if holds_zero(args[1]) => self.anything(Maybe),
            Op::Div => self.corners(x, args[1], |a, b, r| Float::with_val_round(bits, a / b, r).0),
            Op::Fma => {
                let product = self.operate(Op::Mul, &args[..2]);
                self.operate(Op::Add, &[&product, args[2]])
            }
            Op::Sqrt => match from(0, false) {
                (_, No) => self.nothing(),
                (x, d) => self.increasing(&x, d, f!(sqrt_ref)),
            },
            Op::Cbrt => self.increasing(x, Yes, f!(cbrt_ref)),
            Op::Hypot => {
                let (a, b) = (self.abs(x), self.abs(args[1]));
                self.corners(&a, &b, |a, b, r| Float::with_val_round(bits, a.hypot_ref(b), r).0)
            }
            Op::Exp => self.increasing(x, Yes, f!(exp_ref)),
            Op::Exp2 => self.increasing(x, Yes, f!(exp2_ref)),
            Op::Expm1 => self.increasing(x, Yes, f!(exp_m1_ref)),
            Op::Log | Op::Log2 | Op::Log10 => match from(0, true) {
                (_, No) => self.nothing(),
                (x, d) if op == Op::Log => self.increasing(&x, d, f!(ln_ref)),
                (x, d) if op == Op::Log2 => self.increasing(&x, d, f!(log2_ref)),
                (x, d) => self.increasing(&x, d, f!(log10_ref)),
            },
            Op::Log1p => match from(-1, true) {
                (_, No) => self.nothing(),
                (x, d) => self.increasing(&x, d, f!(ln_1p_ref)),
            },
            Op::Pow => self.power(x, args[1]),
            Op::Sin => self.gentle(x, f!(sin_ref)),
            Op::Cos => self.gentle(x, f!(cos_ref)),
            Op::Tan => {
                let cosine = self.gentle(x, f!(cos_ref));
                let width = Float::with_val(bits, &x.hi - &x.lo);
                // Between two poles, if the cosine has no zero.
                if holds_zero(&cosine) || width.is_nan() || width > 1 {
                    return self.anything(Maybe);
                }
                self.increasing(x, Yes, f!(tan_ref))
            }
            Op::Asin | Op::Acos => {
                let (below, d) = from(-1, false);
                let inside = d.and(Tri::of(x.hi <= 1, x.lo > 1));
                if inside == No {
                    return self.nothing();
                }
                let x = Num { hi: smaller(x.hi.clone(), n(1)), ..below };
                if op == Op::Asin {
                    self.increasing(&x, inside, f!(asin_ref))
                } else {
                    self.decreasing(&x, inside, f!(acos_ref))
                }
            }
            Op::Atan => self.increasing(x, Yes, f!(atan_ref)),
            Op::Atan2 => self.angle(x, args[1]),
            Op::Sinh => self.increasing(x, Yes, f!(sinh_ref)),
            Op::Cosh => self.increasing(&self.abs(x), Yes, f!(cosh_ref)),
            Op::Tanh => self.increasing(x, Yes, f!(tanh_ref)),
            Op::Asinh => self.increasing(x, Yes, f!(asinh_ref)),
            Op::Acosh => match from(1, false) {
                (_, No) => self.nothing(),
                (x, d) => self.increasing(&x, d, f!(acosh_ref)),
            },
            Op::Atanh => {
                let (below, d) = from(-1, true);
                let inside = d.and(Tri::of(x.hi < 1, x.lo >= 1));
                if inside == No {
                    return self.nothing();
                }
                let x = Num { hi: smaller(x.hi.clone(), n(1)), ..below };
                self.increasing(&x, inside, f!(atanh_ref))
            }
            Op::Erf => self.increasing(x, Yes, f!(erf_ref)),
            Op::Erfc => self.decreasing(x, Yes, f!(erfc_ref)),
            Op::Fabs => self.abs(x),
            Op::Fmin | Op::Fmax => {
                let (y, pick) = (args[1], if op == Op::Fmin { smaller } else { larger });
                self.between(pick(x.lo.clone(), y.lo.clone()), pick(x.hi.clone(), y.hi.clone()), Yes)
            }
            Op::Fdim => {
                let d = self.operate(Op::Sub, args);
                self.between(larger(d.lo, n(0)), larger(d.hi, n(0)), Yes)
            }
            Op::Copysign => {
                let (size, y) = (self.abs(x), args[1]);
                if y.lo >= 0 {
                    size
                } else if y.hi < 0 {
                    self.operate(Op::Neg, &[&size])
                } else {
                    self.between(Float::with_val(bits, -&size.hi), size.hi, Yes)
                }
            }
            Op::Floor => self.increasing(x, Yes, f!(floor_ref)),
            Op::Ceil => self.increasing(x, Yes, f!(ceil_ref)),
            Op::Round => self.increasing(x, Yes, f!(round_ref)),
            Op::Nearbyint => self.increasing(x, Yes, f!(round_even_ref)),
            Op::Trunc => self.increasing(x, Yes, f!(trunc_ref)),
            Op::Tgamma | Op::Lgamma => self.gamma(op, x),
            Op::Fmod | Op::Remainder => self.remainder(op, x, args[1]),
        }
    }

    fn power(&self, x: &Num, y: &Num) -> Num {
        let raise = |a: &Float, b: &Float, r| {
            let a = if a.is_zero() { Float::new(self.bits) } else { a.clone() };
            Float::with_val_round(self.bits, (&a).pow(b), r).0
        };
        if x.lo > 0 {
            return self.corners(x, y, raise);
        }
        if let Some(n) = integer(y) {
            if n == 0 {
                return self.rational(&Rational::from(1));
            }
            if n < 0 && is_zero(x) {
                return self.nothing();
            }
            if n < 0 && holds_zero(x) {
                return self.anything(Maybe);
            }
            let exponent = Float::with_val(64, n);
            let f = |a: &Float, r: Round| raise(a, &exponent, r);
            return match (n % 2 == 0, n > 0) {
                (true, true) => self.increasing(&self.abs(x), Yes, f),
                (true, false) => self.decreasing(&self.abs(x), Yes, f),
                (false, true) => self.increasing(x, Yes, f),
                (false, false) => self.decreasing(x, Yes, f),
            };
        }
        let whole = Float::with_val_round(self.bits, y.lo.ceil_ref(), Round::Down).0 <= y.hi;
        if is_zero(x) && y.lo > 0 {
            return self.rational(&Rational::new());
        }
        if (is_zero(x) && y.hi < 0) || (x.hi < 0 && !whole) {
            return self.nothing();
        }
        if x.lo >= 0 && y.lo > 0 {
            return self.corners(x, y, raise);
        }
        self.anything(Maybe)
    }

    /// atan2 of y and x, the angle of the point (x, y).
    fn angle(&self, y: &Num, x: &Num) -> Num {
        if is_zero(y) && is_zero(x) {
            return self.nothing();
        }
        if is_zero(y) && x.hi < 0 {
            return self.constant(Constant::Pi);
        }
        if !(y.lo > 0 || y.hi < 0 || x.lo > 0) {
            // On or across the negative half axis, or at the origin.
            return self.anything(Maybe);
        }
        self.corners(y, x, |a, b, r| Float::with_val_round(self.bits, a.atan2_ref(b), r).0)
    }

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
            ExprKind::Op(Op::Sub, args) if args.len() == 2 && same_expr(&args[0], &args[1]) => {
                // A number less itself, which no precision shows to be 0.
                let mut zero = self.rational(&Rational::new());
                zero.defined = self.number(scope, &args[0]).defined;
                Val::Num(zero)
            }
            // The tangent of an arc tangent, for the same reason.
            // No precision shows that this is 0.
            ExprKind::Op(Op::Sin | Op::Tan, args) if matches!(args[0].kind, ExprKind::Constant(Constant::Pi)) => {
                Val::Num(self.rational(&Rational::new()))
            }
            ExprKind::Op(Op::Tan, args) if matches!(&args[0].kind, ExprKind::Op(Op::Atan, _)) => {
                self.eval(scope, args[0].children()[0])
            }
            ExprKind::Op(Op::Div, args) if args.len() == 2 && same_expr(&args[0], &args[1]) => {
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
                let values: Vec<Num> = args.iter().map(|a| self.number(scope, a)).collect();
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
                let mut y = match t {
                    Yes => self.number(scope, &parts[1]),
                    No => self.number(scope, &parts[2]),
                    Maybe => {
                        let (a, b) = (self.number(scope, &parts[1]), self.number(scope, &parts[2]));
                        if a.defined == Yes && b.defined == Yes {
                            self.between(smaller(a.lo, b.lo), larger(a.hi, b.hi), Yes)
                        } else if a.defined == No && b.defined == No {
                            self.nothing()
                        } else {
                            self.anything(Maybe)
                        }
                    }
                };
                y.defined = y.defined.and(d);
                Val::Num(y)
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
            ExprKind::Call(name, _) => panic!("a call of {name} was not written out"),
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
            Val::Truth(..) => self.nothing(),
        }
    }

    fn truth(&self, scope: &mut Vec<(String, Val)>, e: &Expr) -> (Tri, Tri) {
        match self.eval(scope, e) {
            Val::Truth(t, d) => (t, d),
            Val::Num(_) => (Maybe, No),
        }
    }

    fn scope(&self, spec: &Spec, input: &[f64]) -> Vec<(String, Val)> {
        let value = |x: &f64| Val::Num(self.rational(&Rational::from_f64(*x).expect("a finite input")));
        spec.inputs.iter().map(|i| i.name.clone()).zip(input.iter().map(value)).collect()
    }

    /// The value of `body` at an input of `spec`.
    pub(crate) fn value(&self, spec: &Spec, body: &Expr, input: &[f64]) -> Num {
        self.number(&mut self.scope(spec, input), body)
    }

    /// Whether a condition on the inputs holds.
    pub(crate) fn holds(&self, spec: &Spec, condition: &Expr, input: &[f64]) -> Tri {
        match self.truth(&mut self.scope(spec, input), condition) {
            (_, No) => No,
            (No, _) => No,
            (t, d) => t.and(d),
        }
    }
}

/// The exact value of the rational operations.
fn exactly(op: Op, x: &[&Rational]) -> Option<Rational> {
    Some(match (op, x) {
        (Op::Add, [a, b]) => Rational::from(*a + *b),
        (Op::Sub, [a, b]) => Rational::from(*a - *b),
        (Op::Mul, [a, b]) => Rational::from(*a * *b),
        (Op::Div, [a, b]) if **b != 0 => Rational::from(*a / *b),
        (Op::Fma, [a, b, c]) => Rational::from(*a * *b) + *c,
        (Op::Neg, [a]) => Rational::from(-*a),
        (Op::Fabs, [a]) => (*a).clone().abs(),
        (Op::Fmin, [a, b]) => (*a).clone().min((*b).clone()),
        (Op::Fmax, [a, b]) => (*a).clone().max((*b).clone()),
        (Op::Fmod | Op::Remainder, [a, b]) if **b != 0 => special::remainder(op, a, b),
        (Op::Fdim, [a, b]) => Rational::from(*a - *b).max(Rational::new()),
        (Op::Pow, [a, n]) if n.is_integer() => {
            let k = n.numer().to_i32().filter(|k| k.abs() <= 64)?;
            if **a == 0 && k < 0 {
                return None;
            }
            let base = if k < 0 { (*a).clone().recip() } else { (*a).clone() };
            (0..k.abs()).fold(Rational::from(1), |p, _| p * &base)
        }
        (Op::Sqrt, [a]) if **a >= 0 && a.numer().is_perfect_square() && a.denom().is_perfect_square() => {
            Rational::from((a.numer().clone().sqrt(), a.denom().clone().sqrt()))
        }
        _ => return None,
    })
}

fn compare(c: Compare, a: &Num, b: &Num) -> Tri {
    if let (Some(a), Some(b)) = (&a.exact, &b.exact) {
        let o = a.cmp(b);
        return Tri::of(
            match c {
                Compare::Lt => o == Ordering::Less,
                Compare::Gt => o == Ordering::Greater,
                Compare::Le => o != Ordering::Greater,
                Compare::Ge => o != Ordering::Less,
                Compare::Eq => o == Ordering::Equal,
                Compare::Ne => o != Ordering::Equal,
            },
            true,
        );
    }
    let equal = || Tri::of(a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo);
    match c {
        Compare::Lt => Tri::of(a.hi < b.lo, a.lo >= b.hi),
        Compare::Gt => Tri::of(b.hi < a.lo, b.lo >= a.hi),
        Compare::Le => Tri::of(a.hi <= b.lo, a.lo > b.hi),
        Compare::Ge => Tri::of(b.hi <= a.lo, b.lo > a.hi),
        Compare::Eq => equal(),
        Compare::Ne => equal().not(),
    }
}

/// A closed range of rational numbers.
#[derive(Clone, Debug)]
pub(crate) struct Ends(pub(crate) Rational, pub(crate) Rational);

/// The enclosure as rationals, if there is surely a number of a sensible magnitude.
fn ends(x: &Num) -> Option<Ends> {
    if x.defined != Yes {
        return None;
    }
    if let Some(q) = &x.exact {
        return Some(Ends(q.clone(), q.clone()));
    }
    // Below 2^-131072 only that is kept.
    let end = |f: &Float, up: bool| {
        if f.get_exp().is_none_or(|e| e.abs() < FAR) {
            return f.to_rational();
        }
        let tiny = f.get_exp().is_some_and(|e| e < 0);
        let toward_zero = f.is_sign_negative() == up;
        match (tiny, toward_zero, up) {
            (false, ..) => None,
            (true, true, _) => Some(Rational::new()),
            (true, false, true) => Some(two_to(-FAR)),
            (true, false, false) => Some(-two_to(-FAR)),
        }
    };
    Some(Ends(end(&x.lo, false)?, end(&x.hi, true)?))
}

/// Exponents beyond this have no rational form worth its memory.
const FAR: i32 = 1 << 17;

/// Whether a number is surely beyond 2^131000 in magnitude, or unbounded.
fn is_far(x: &Num) -> bool {
    let beyond = |f: &Float| f.is_infinite() || f.get_exp().is_some_and(|e| e > FAR - 72);
    x.defined == Yes && x.exact.is_none() && ((x.lo > 0 && beyond(&x.lo)) || (x.hi < 0 && beyond(&x.hi)))
}

/// (precision, emin, emax) of a format, from the standard.
fn parameters(format: Format) -> (i32, i32, i32) {
    match format {
        Format::Binary64 => (53, -1022, 1023),
        Format::Binary32 => (24, -126, 127),
        Format::Binary16 => (11, -14, 15),
        Format::Bfloat16 => (8, -126, 127),
    }
}

fn two_to(e: i32) -> Rational {
    if e >= 0 { Rational::from(1) << e as u32 } else { Rational::from(1) >> e.unsigned_abs() }
}

/// ulp of a magnitude: 2^(max(e, emin) - p + 1) where 2^e <= x < 2^(e+1).
fn ulp(x: &Rational, format: Format) -> Rational {
    let (p, emin, _) = parameters(format);
    let mut e = emin;
    if *x != 0 {
        // Near enough by the lengths, then step by step.
        e = x.numer().significant_bits() as i32 - x.denom().significant_bits() as i32 - 2;
        while two_to(e + 1) <= *x {
            e += 1;
        }
        e = e.max(emin);
    }
    two_to(e - p + 1)
}

/// The largest tolerance asked for, enclosed: it does not decrease with the magnitude.
fn tolerance(f: &Ends, accuracy: &Accuracy) -> Ends {
    let (a, b) = (f.0.clone().abs(), f.1.clone().abs());
    let near = if f.0 <= 0 && f.1 >= 0 { Rational::new() } else { a.clone().min(b.clone()) };
    let at = |size: &Rational| {
        let mut t = Rational::new();
        if let Some(r) = &accuracy.rel {
            t = t.max(Rational::from(r * size));
        }
        if let Some(a) = &accuracy.abs {
            t = t.max(a.clone());
        }
        if let Some((n, format)) = &accuracy.ulps {
            t = t.max(n * ulp(size, *format));
        }
        t
    };
    Ends(at(&near), at(&a.max(b)))
}

/// The smallest and the largest |x - y|.
fn distance(x: &Ends, y: &Ends) -> Ends {
    let (a, b) = (Rational::from(&x.0 - &y.1), Rational::from(&y.0 - &x.1));
    let least = a.clone().max(b.clone()).max(Rational::new());
    Ends(least, (-a).max(-b))
}

/// How a specification and a mutant compare at one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// No result is valid for both.
    Apart,
    /// Some real number is valid for both.
    Meet,
    /// The specification has a value, the mutant has none.
    OnlySpec,
    /// The mutant has a value, the specification has none.
    OnlyMutant,
    /// Neither has a value.
    Neither,
    /// Not settled.
    Open,
}

/// The steps of precision.
const BITS: [u32; 7] = [256, 512, 1024, 2048, 4096, 8192, 16384];

fn evaluators(most: u32) -> impl Iterator<Item = Evaluator> {
    BITS.into_iter().filter(move |b| *b <= most).enumerate().map(|(k, bits)| Evaluator { bits, exact: k > 0 })
}

/// Judges one specification.
pub(crate) struct Judge<'a> {
    pub(crate) spec: &'a Spec,
    /// The last precision.
    pub(crate) most: u32,
}

impl Judge<'_> {
    /// Whether the input is in the box and satisfies the precondition as written: by the text of `:pre`, not by what
    /// was made of it.
    pub(crate) fn precondition(&self, input: &[f64]) -> Tri {
        let Some(pre) = self.spec.core.property("pre") else { return Yes };
        let Value::Expr(pre) = &pre.value else { return Maybe };
        self.settle(|e| e.holds(self.spec, pre, input))
    }

    fn settle(&self, f: impl Fn(&Evaluator) -> Tri) -> Tri {
        evaluators(self.most).map(|e| f(&e)).find(|t| *t != Maybe).unwrap_or(Maybe)
    }

    /// Whether the body has a value.
    pub(crate) fn defined(&self, input: &[f64]) -> Tri {
        self.settle(|e| e.value(self.spec, &self.spec.core.body, input).defined)
    }

    /// Compare the specification with another body.
    pub(crate) fn compare(&self, other: &Expr, input: &[f64]) -> Outcome {
        for e in evaluators(self.most) {
            let f = e.value(self.spec, &self.spec.core.body, input);
            let outcome = self.versus(&e, &f, other, input);
            if outcome != Outcome::Open {
                return outcome;
            }
        }
        Outcome::Open
    }

    /// The specification's value at the first precision, to be compared with many mutants.
    pub(crate) fn first(&self, input: &[f64]) -> Num {
        Evaluator { bits: BITS[0], exact: false }.value(self.spec, &self.spec.core.body, input)
    }

    /// As [`Judge::compare`], with [`Judge::first`] at hand.
    pub(crate) fn compare_with(&self, first: &Num, other: &Expr, input: &[f64]) -> Outcome {
        match self.versus(&Evaluator { bits: BITS[0], exact: false }, first, other, input) {
            Outcome::Open => self.compare(other, input),
            settled => settled,
        }
    }

    fn versus(&self, e: &Evaluator, f: &Num, other: &Expr, input: &[f64]) -> Outcome {
        let g = e.value(self.spec, other, input);
        match (f.defined, g.defined) {
            (Yes, No) => return Outcome::OnlySpec,
            (No, Yes) => return Outcome::OnlyMutant,
            (No, No) => return Outcome::Neither,
            (Yes, Yes) => {}
            _ => return Outcome::Open,
        }
        let accuracy = &self.spec.accuracy;
        if let (Some(f), true) = (ends(f), is_far(&g)) {
            // At most half of |g| is tolerated, and the rest is far from f.
            let half = |k: &Rational| *k <= Rational::from((1, 2));
            let few = accuracy.ulps.as_ref().is_none_or(|(n, format)| half(&(n * two_to(1 - parameters(*format).0))));
            let t = tolerance(&f, accuracy);
            let near = f.0.abs().max(f.1.abs()) + t.1;
            if few && accuracy.rel.as_ref().is_none_or(half) && near < two_to(FAR / 2) {
                return Outcome::Apart;
            }
        }
        let (Some(f), Some(g)) = (ends(f), ends(&g)) else { return Outcome::Open };
        let (tf, tg) = (tolerance(&f, &self.spec.accuracy), tolerance(&g, &self.spec.accuracy));
        let d = distance(&f, &g);
        if d.0 > tf.1 + tg.1 {
            Outcome::Apart
        } else if d.1 <= tf.0 + tg.0 {
            Outcome::Meet
        } else {
            Outcome::Open
        }
    }

    /// Whether the two surely are different numbers, or only one of them has a value.
    pub(crate) fn differ(&self, other: &Expr, input: &[f64]) -> bool {
        let different = |e: &Evaluator| {
            let (f, g) = (e.value(self.spec, &self.spec.core.body, input), e.value(self.spec, other, input));
            match (f.defined, g.defined) {
                (Yes, No) | (No, Yes) => Yes,
                (No, No) => No,
                (Yes, Yes) if f.exact.is_some() && g.exact.is_some() => Tri::of(f.exact != g.exact, true),
                (Yes, Yes) => Tri::of(f.hi < g.lo || g.hi < f.lo, false),
                _ => Maybe,
            }
        };
        // Equal numbers that are not rational stay open at every precision: two steps are enough of that.
        evaluators(self.most.min(512)).any(|e| different(&e) == Yes)
    }

    /// Whether a value is within the tolerance.
    pub(crate) fn valid(&self, y: f64, input: &[f64]) -> Tri {
        let y = Rational::from_f64(y).expect("a finite result");
        self.settle(|e| {
            let Some(f) = ends(&e.value(self.spec, &self.spec.core.body, input)) else { return Maybe };
            let (t, d) = (tolerance(&f, &self.spec.accuracy), distance(&f, &Ends(y.clone(), y.clone())));
            Tri::of(d.1 <= t.0, d.0 > t.1)
        })
    }

    /// Whether the part of a larger valid set that is invalid for the specification reaches beyond it by more than
    /// 1000 r, r being the relative bound, else the absolute one, else n 2^-p.
    pub(crate) fn reaches(&self, more: &Accuracy, input: &[f64]) -> Tri {
        let own = &self.spec.accuracy;
        let ulps = || own.ulps.as_ref().map(|(n, f)| n * two_to(-parameters(*f).0));
        let r = own.rel.clone().or_else(|| own.abs.clone()).or_else(ulps).unwrap_or_default() * 1000;
        self.settle(|e| {
            let f = e.value(self.spec, &self.spec.core.body, input);
            if f.defined == No {
                return No;
            }
            let Some(f) = ends(&f) else { return Maybe };
            let (small, large) = (tolerance(&f, own), tolerance(&f, more));
            Tri::of(Rational::from(&large.0 - &small.1) > r, Rational::from(&large.1 - &small.0) <= r)
        })
    }

    /// What is wrong with a decided oracle, if anything is.
    pub(crate) fn oracle_problem(&self, lo: f64, hi: f64, input: &[f64]) -> Option<String> {
        let format = self.spec.result_format;
        let mut wrong = Vec::new();
        let mut expect = |what: &str, y: Option<f64>, wanted: Tri| {
            let Some(y) = y else { return };
            let found = self.valid(y, input);
            if found != wanted {
                wrong.push(format!("{what} {y:e} valid: {found:?}"));
            }
        };
        expect("lo", Some(lo), Yes);
        expect("hi", Some(hi), Yes);
        expect("below lo", neighbour(lo, false, format), No);
        expect("above hi", neighbour(hi, true, format), No);
        if lo > hi {
            wrong.push("lo > hi".into());
        }
        if !(is_value(lo, format) && is_value(hi, format)) {
            wrong.push("no values of the format".into());
        }
        (!wrong.is_empty()).then(|| format!("oracle [{lo:e}, {hi:e}]: {}", wrong.join(", ")))
    }

    /// Whether a KO of a mutant at an input is right, with what the judge found.
    pub(crate) fn confirms(&self, mutant: &Mutant, input: &[f64], first: &Num) -> Result<(), String> {
        let told = matches!(self.spec.out_of_range, OutOfRange::Reject | OutOfRange::Nan);
        match &mutant.change {
            Change::Body(body) => match self.compare_with(first, body, input) {
                Outcome::Apart | Outcome::OnlySpec => Ok(()),
                Outcome::OnlyMutant if told => Ok(()),
                other => Err(format!("{other:?}")),
            },
            Change::Range { input: k, range } => {
                if !told {
                    return Err("the response is not told".into());
                }
                match self.defined(input) {
                    Yes => {}
                    No => return Err("no value".into()),
                    Maybe => return Err("Open".into()),
                }
                let inside = self.precondition(input);
                let others = self.spec.inputs.iter().enumerate().all(|(i, own)| {
                    let x = Rational::from_f64(input[i]).expect("a finite input");
                    in_range(if i == *k { range } else { &own.range }, &x)
                });
                let conditions = self
                    .spec
                    .constraints
                    .iter()
                    .fold(Yes, |all, c| all.and(self.settle(|e| e.holds(self.spec, c, input))));
                let mutant = Tri::of(others, !others).and(conditions);
                match (inside, mutant) {
                    (Yes, No) | (No, Yes) => Ok(()),
                    other => Err(format!("in the domains: {other:?}")),
                }
            }
            Change::Accuracy(_) => Err("an accuracy mutant is never killed".into()),
        }
    }
}

/// Whether a number is in a range, strict ends left out.
pub(crate) fn in_range(range: &Range, x: &Rational) -> bool {
    let above = match &range.lo {
        Some(b) if b.strict => *x > b.value,
        Some(b) => *x >= b.value,
        None => true,
    };
    let below = match &range.hi {
        Some(b) if b.strict => *x < b.value,
        Some(b) => *x <= b.value,
        None => true,
    };
    above && below
}

/// The step of a format just above the magnitude of a value.
fn quantum(x: f64, format: Format) -> f64 {
    let (p, emin, _) = parameters(format);
    let mut e = emin;
    while e < 1023 && 2f64.powi(e + 1) <= x.abs() {
        e += 1;
    }
    let s = e - p + 1;
    // 2^s may be subnormal, which powi reaches by way of an overflow.
    if s < -1022 { 2f64.powi(-1022) * 2f64.powi(s + 1022) } else { 2f64.powi(s) }
}

/// Whether x is a finite value of the format.
pub(crate) fn is_value(x: f64, format: Format) -> bool {
    let (p, _, emax) = parameters(format);
    let q = quantum(x, format);
    let largest = (2.0 - 2f64.powi(1 - p)) * 2f64.powi(emax);
    x.is_finite() && x.abs() <= largest && x % q == 0.0
}

/// The next larger or smaller value of the format.
pub(crate) fn neighbour(x: f64, up: bool, format: Format) -> Option<f64> {
    let away = if up { x >= 0.0 } else { x <= 0.0 };
    let direction = if up { 1.0 } else { -1.0 };
    let q = quantum(x, format);
    // Toward zero from a power of two the step is half as long.
    let half = quantum(x.abs().next_down(), format);
    let y = if away || half == q { x + direction * q } else { x + direction * half };
    (is_value(y, format) && y != x).then_some(y)
}
