//! Numbers a + b pi with rational a and b. Pi is transcendental: two of them are equal where a and b are. They tell the
//! zeros and poles of the circular functions at multiples of pi, which no enclosure shows.

use super::operators::compare;
use super::value::{Evaluator, Num, Tri};
use magneto::num::mpfr::Rational;
use magneto::ops::{Constant, Op};
use magneto::spec::core::Compare;

/// The number a + b pi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WithPi {
    a: Rational,
    b: Rational,
}

impl WithPi {
    /// The constants that are parts of pi.
    pub(super) fn constant(c: Constant) -> Option<Self> {
        let parts = match c {
            Constant::Pi => 1,
            Constant::Pi2 => 2,
            Constant::Pi4 => 4,
            _ => return None,
        };
        Some(WithPi { a: Rational::new(), b: Rational::from((1, parts)) })
    }

    /// What is known of a number.
    pub(super) fn of(x: &Num) -> Option<Self> {
        x.with_pi.clone().or_else(|| x.exact.clone().map(WithPi::rational))
    }

    fn rational(a: Rational) -> Self {
        WithPi { a, b: Rational::new() }
    }

    fn scaled(&self, k: &Rational) -> Self {
        WithPi { a: Rational::from(&self.a * k), b: Rational::from(&self.b * k) }
    }

    fn plus(&self, other: &Self) -> Self {
        WithPi { a: Rational::from(&self.a + &other.a), b: Rational::from(&self.b + &other.b) }
    }

    /// k, where the number is k pi.
    fn half_turns(&self) -> Option<&Rational> {
        (self.a == 0).then_some(&self.b)
    }
}

impl Evaluator {
    /// The value of an operator of numbers a + b pi, where it is one, or there is none.
    pub(super) fn with_pi(&self, op: Op, args: &[&Num]) -> Option<Num> {
        let x: Vec<WithPi> = args.iter().map(|x| WithPi::of(x)).collect::<Option<_>>()?;
        let minus = Rational::from(-1);
        let value = match (op, x.as_slice()) {
            (Op::Neg, [x]) => x.scaled(&minus),
            (Op::Add, [x, y]) => x.plus(y),
            (Op::Sub, [x, y]) => x.plus(&y.scaled(&minus)),
            (Op::Mul, [x, y]) if y.b == 0 => x.scaled(&y.a),
            (Op::Mul, [x, y]) if x.b == 0 => y.scaled(&x.a),
            (Op::Div, [x, y]) => quotient(x, y)?,
            (Op::Fabs, [_]) => return self.larger_of(args[0], &self.apply(Op::Neg, args)),
            (Op::Fmax, [..]) => return self.larger_of(args[0], args[1]),
            (Op::Fmin, [..]) => {
                let [x, y] = [0, 1].map(|i| self.apply(Op::Neg, &[args[i]]));
                return Some(self.apply(Op::Neg, &[&self.larger_of(&x, &y)?]));
            }
            (Op::Sin, [x]) => WithPi::rational(sine(x.half_turns()?)?),
            (Op::Cos, [x]) => WithPi::rational(sine(&(x.half_turns()? + Rational::from((1, 2))))?),
            (Op::Tan, [x]) => match whole(x.half_turns()?, 4)?.rem_euclid(4) {
                0 => WithPi::rational(Rational::new()),
                1 => WithPi::rational(Rational::from(1)),
                3 => WithPi::rational(minus),
                _ => return Some(self.nothing()),
            },
            _ => return None,
        };
        Some(match value {
            WithPi { a, b } if b == 0 => self.rational(&a),
            value => Num { with_pi: Some(value), ..self.operate(op, args) },
        })
    }

    /// The larger of two numbers, where it is settled which that is.
    fn larger_of(&self, x: &Num, y: &Num) -> Option<Num> {
        match compare(Compare::Ge, x, y) {
            Tri::Yes => Some(x.clone()),
            Tri::No => Some(y.clone()),
            Tri::Maybe => None,
        }
    }
}

/// The quotient of two numbers of which one is a multiple of the other.
fn quotient(x: &WithPi, y: &WithPi) -> Option<WithPi> {
    if y.b == 0 {
        return (y.a != 0).then(|| x.scaled(&y.a.clone().recip()));
    }
    let k = Rational::from(&x.b / &y.b);
    (y.scaled(&k) == *x).then(|| WithPi::rational(k))
}

/// The number of parts of 1 in a number, where they are whole.
fn whole(k: &Rational, parts: u32) -> Option<i64> {
    let k = Rational::from(k * parts);
    // Even and odd numbers of turns: what is left of them is small.
    let turns = Rational::from(&k / (2 * parts)).floor();
    let rest = k - turns * (2 * parts);
    if rest.is_integer() { rest.numer().to_i64() } else { None }
}

/// The sine of k pi: the vertices of the regular dodecagon of which the height is rational.
fn sine(k: &Rational) -> Option<Rational> {
    Some(match whole(k, 6)? {
        0 | 6 => Rational::new(),
        1 | 5 => Rational::from((1, 2)),
        3 => Rational::from(1),
        7 | 11 => Rational::from((-1, 2)),
        9 => Rational::from(-1),
        _ => return None,
    })
}
