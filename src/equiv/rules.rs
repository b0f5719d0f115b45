//! Operators on normal forms: for each its value as a form, and what it needs to have one.
//!
//! A rule may use that the operands have values and that the operator's own needs hold, because nothing is claimed of
//! other points. What else it uses must hold on the whole domain and is noted as a fact.

use super::definedness::{Need, Signs};
use super::normal::Normalizer;
use super::table::{Atom, Form, FormId, Stop, Try};
use crate::num::Rational;
use crate::ops::{MAX_ARITY, Op};

/// Powers above this one are not multiplied out of `pow`.
const MAX_INTEGER_POWER: u32 = 1 << 16;

impl Normalizer<'_> {
    /// `1/2` and its like.
    pub(super) fn fraction(&mut self, n: i32, d: u32) -> FormId {
        self.table.constant(Rational::from((n, d)))
    }

    fn half(&mut self, x: FormId) -> Try<FormId> {
        self.table.scale(x, &Rational::from((1, 2)))
    }

    pub(super) fn need(&mut self, needs: &mut Vec<Need>, form: FormId, signs: Signs) -> Try<()> {
        needs.extend(self.table.sign_needs(form, signs)?);
        Ok(())
    }

    /// `|x| <= 1`, or `< 1` where strict.
    pub(super) fn need_unit(&mut self, needs: &mut Vec<Need>, x: FormId, strict: bool) -> Try<()> {
        let signs = if strict { Signs::POSITIVE } else { Signs::NOT_NEGATIVE };
        let (below, above) = (self.table.sub(FormId::ONE, x)?, self.table.add(FormId::ONE, x)?);
        self.need(needs, below, signs)?;
        self.need(needs, above, signs)
    }

    /// The value of an operator, and its own needs.
    pub(super) fn rule(&mut self, op: Op, args: [FormId; MAX_ARITY], needs: &mut Vec<Need>) -> Try<FormId> {
        let [x, y, z] = args;
        match op {
            Op::Add => self.table.add(x, y),
            Op::Sub => self.table.sub(x, y),
            Op::Neg => Ok(self.table.neg(x)),
            Op::Mul => self.table.mul(x, y),
            Op::Fma => {
                let product = self.table.mul(x, y)?;
                self.table.add(product, z)
            }
            Op::Div => {
                self.need(needs, y, Signs::NOT_ZERO)?;
                self.quotient(x, y)
            }
            Op::Sqrt => {
                self.need(needs, x, Signs::NOT_NEGATIVE)?;
                self.sqrt(x)
            }
            Op::Cbrt => self.cbrt(x),
            Op::Hypot => {
                let (x, y) = (self.table.power(x, 2)?, self.table.power(y, 2)?);
                let sum = self.table.add(x, y)?;
                self.sqrt(sum)
            }
            Op::Pow => self.pow(x, y, needs),
            _ => self.exponential_rule(op, args, needs),
        }
    }

    /// The same for what is made of powers of e and logarithms.
    fn exponential_rule(&mut self, op: Op, args: [FormId; MAX_ARITY], needs: &mut Vec<Need>) -> Try<FormId> {
        let x = args[0];
        match op {
            Op::Exp => self.exp(x),
            Op::Exp2 => {
                let log2 = self.log_rational(&Rational::from(2))?;
                let x = self.table.mul(x, log2)?;
                self.exp(x)
            }
            Op::Expm1 => {
                let exp = self.exp(x)?;
                self.table.sub(exp, FormId::ONE)
            }
            Op::Log | Op::Log2 | Op::Log10 => {
                self.need(needs, x, Signs::POSITIVE)?;
                let log = self.log(x)?;
                let base = match op {
                    Op::Log2 => 2,
                    Op::Log10 => 10,
                    _ => return Ok(log),
                };
                let base = self.log_rational(&Rational::from(base))?;
                self.table.div(log, base)
            }
            Op::Log1p => {
                let x = self.table.add(FormId::ONE, x)?;
                self.need(needs, x, Signs::POSITIVE)?;
                self.log(x)
            }
            Op::Sinh | Op::Cosh => {
                let minus = self.table.neg(x);
                let (up, down) = (self.exp(x)?, self.exp(minus)?);
                let sum = if op == Op::Sinh { self.table.sub(up, down)? } else { self.table.add(up, down)? };
                self.half(sum)
            }
            Op::Tanh => {
                let double = self.table.scale(x, &Rational::from(2))?;
                let e = self.exp(double)?;
                let (top, bottom) = (self.table.sub(e, FormId::ONE)?, self.table.add(e, FormId::ONE)?);
                self.table.div(top, bottom)
            }
            Op::Asinh | Op::Erf | Op::Nearbyint => self.odd(op, x),
            Op::Erfc => {
                let erf = self.odd(Op::Erf, x)?;
                self.table.sub(FormId::ONE, erf)
            }
            Op::Acosh => {
                let above = self.table.sub(x, FormId::ONE)?;
                self.need(needs, above, Signs::NOT_NEGATIVE)?;
                self.table.apply1(op, x)
            }
            Op::Atanh => {
                self.need_unit(needs, x, true)?;
                let (above, below) = (self.table.add(FormId::ONE, x)?, self.table.sub(FormId::ONE, x)?);
                let (above, below) = (self.log(above)?, self.log(below)?);
                let difference = self.table.sub(above, below)?;
                self.half(difference)
            }
            _ => self.circular_rule(op, args, needs),
        }
    }

    /// The same for what is made of choices and whole numbers. An operator without a rule is an atom, whose domain is a need
    /// of its own.
    pub(super) fn piecewise_rule(&mut self, op: Op, args: [FormId; MAX_ARITY], needs: &mut Vec<Need>) -> Try<FormId> {
        let [x, y, _] = args;
        match op {
            Op::Fabs => self.fabs(x),
            // max(x, y) = (x + y + |x - y|) / 2
            Op::Fmax | Op::Fmin => {
                let (sum, difference) = (self.table.add(x, y)?, self.table.sub(x, y)?);
                let distance = self.fabs(difference)?;
                let twice =
                    if op == Op::Fmax { self.table.add(sum, distance)? } else { self.table.sub(sum, distance)? };
                self.half(twice)
            }
            Op::Fdim => {
                let difference = self.table.sub(x, y)?;
                let distance = self.fabs(difference)?;
                let twice = self.table.add(difference, distance)?;
                self.half(twice)
            }
            Op::Copysign => self.copysign(x, y),
            Op::Floor => self.floor(x),
            Op::Ceil => {
                let minus = self.table.neg(x);
                let floor = self.floor(minus)?;
                Ok(self.table.neg(floor))
            }
            Op::Trunc | Op::Round => self.toward_zero(op, x),
            Op::Fmod | Op::Remainder => {
                self.need(needs, y, Signs::NOT_ZERO)?;
                self.remainder(op, x, y)
            }
            _ => {
                needs.push(Need::Own(op, args));
                self.table.atomic(Atom::Apply(op, args))
            }
        }
    }

    /// An odd operator without further laws.
    fn odd(&mut self, op: Op, x: FormId) -> Try<FormId> {
        if self.table.form(x).coeff < 0 {
            let minus = self.table.neg(x);
            let y = self.table.apply1(op, minus)?;
            return Ok(self.table.neg(y));
        }
        self.table.apply1(op, x)
    }

    fn pow(&mut self, x: FormId, y: FormId, needs: &mut Vec<Need>) -> Try<FormId> {
        if let Some(n) = self.table.rational(y) {
            if let Some(n) = n.numer().to_i32().filter(|k| n.is_integer() && k.unsigned_abs() <= MAX_INTEGER_POWER) {
                if n < 0 {
                    self.need(needs, x, Signs::NOT_ZERO)?;
                }
                return self.table.power(x, n);
            }
            // Not an integer: no negative base, and 0 with a positive power only.
            if !n.is_integer() {
                self.need(needs, x, if n > 0 { Signs::NOT_NEGATIVE } else { Signs::POSITIVE })?;
                let numerator = n.numer().to_i32().filter(|k| k.unsigned_abs() <= MAX_INTEGER_POWER);
                if let (Some(k), true) = (numerator, *n.denom() == 2 || *n.denom() == 3) {
                    let root = if *n.denom() == 2 { self.sqrt(x)? } else { self.cbrt(x)? };
                    return self.table.power(root, k);
                }
                if self.always(x, Signs::POSITIVE) {
                    return self.power_by_log(x, y);
                }
                return self.table.atomic(Atom::Apply(Op::Pow, [x, y, x]));
            }
        }
        if self.always(x, Signs::POSITIVE) {
            return self.power_by_log(x, y);
        }
        needs.push(Need::Own(Op::Pow, [x, y, x]));
        self.table.atomic(Atom::Apply(Op::Pow, [x, y, x]))
    }

    /// x^y = e^(y log x) for x > 0.
    fn power_by_log(&mut self, x: FormId, y: FormId) -> Try<FormId> {
        let log = self.log(x)?;
        let exponent = self.table.mul(y, log)?;
        self.exp(exponent)
    }

    /// |x| factor by factor: the signs of those that do not change on the domain are known.
    pub(super) fn fabs(&mut self, x: FormId) -> Try<FormId> {
        let f = self.table.form(x);
        if f.coeff == 0 {
            return Ok(x);
        }
        let mut value = self.table.intern(Form { exp: f.exp, ..Form::constant(f.coeff.clone().abs()) });
        let one = || Form::constant(Rational::from(1));
        let atoms = f.atoms.iter().map(|&(a, k)| (Form { atoms: vec![(a, 1)], ..one() }, k));
        let polys = f.polys.iter().map(|&(p, k)| (Form { polys: vec![(p, 1)], ..one() }, k));
        for (factor, k) in atoms.chain(polys).collect::<Vec<_>>() {
            let factor = self.table.intern(factor);
            let magnitude = if k % 2 == 0 { factor } else { self.magnitude(factor)? };
            let power = self.table.power(magnitude, k)?;
            value = self.table.mul(value, power)?;
        }
        Ok(value)
    }

    /// |x| of one factor.
    fn magnitude(&mut self, factor: FormId) -> Try<FormId> {
        if self.is_magnitude(factor) {
            return Ok(factor);
        }
        // A sign alone.
        let atom = self.table.single_atom(factor).map(|a| self.table.atom(a));
        if matches!(atom, Some(Atom::Apply(Op::Copysign, [FormId::ONE, ..]))) {
            return Ok(FormId::ONE);
        }
        if self.always(factor, Signs::NOT_NEGATIVE) {
            return Ok(factor);
        }
        if self.always(factor, Signs::NOT_POSITIVE) {
            return Ok(self.table.neg(factor));
        }
        self.table.apply1(Op::Fabs, factor)
    }

    fn copysign(&mut self, x: FormId, y: FormId) -> Try<FormId> {
        let magnitude = self.fabs(x)?;
        if self.always(y, Signs::NOT_NEGATIVE) {
            return Ok(magnitude);
        }
        if self.always(y, Signs::NEGATIVE) {
            return Ok(self.table.neg(magnitude));
        }
        let (y, like_x) = (self.same_sign(y)?, self.same_sign(x)?);
        let (key, flip) = self.table.sign_key(y);
        let (of_x, flip_x) = self.table.sign_key(like_x);
        if of_x == key {
            return Ok(if flip == flip_x { x } else { self.table.neg(x) });
        }
        // The sign alone, of a form that does not depend on how y is scaled.
        let key = if flip { self.table.neg(key) } else { key };
        let sign = self.table.atomic(Atom::Apply(Op::Copysign, [FormId::ONE, key, FormId::ONE]))?;
        self.table.mul(magnitude, sign)
    }

    /// The largest integer not above: integers are taken out of a sum.
    fn floor(&mut self, x: FormId) -> Try<FormId> {
        let f = self.table.form(x);
        let Ok(terms) = self.table.expand(&f) else { return self.table.apply1(Op::Floor, x) };
        let constant = terms.get(&super::polynomial::Monomial::one()).cloned().unwrap_or_default();
        let whole = self.table.constant(constant.floor());
        let rest = self.table.sub(x, whole)?;
        let floor = self.table.apply1(Op::Floor, rest)?;
        self.table.add(floor, whole)
    }

    /// Truncation and rounding halves away from zero: odd, and known by `floor` where the sign is known.
    fn toward_zero(&mut self, op: Op, x: FormId) -> Try<FormId> {
        let positive = self.always(x, Signs::NOT_NEGATIVE);
        if positive || self.always(x, Signs::NOT_POSITIVE) {
            let magnitude = if positive { x } else { self.table.neg(x) };
            let half = self.fraction(1, 2);
            let shifted = if op == Op::Round { self.table.add(magnitude, half)? } else { magnitude };
            let floor = self.floor(shifted)?;
            return Ok(if positive { floor } else { self.table.neg(floor) });
        }
        self.odd(op, x)
    }

    /// Both remainders are odd in x and even in y.
    fn remainder(&mut self, op: Op, x: FormId, y: FormId) -> Try<FormId> {
        let y = if self.table.form(y).coeff < 0 { self.table.neg(y) } else { y };
        let minus = self.table.neg(x);
        if x == FormId::ZERO || x == y || minus == y {
            return Ok(FormId::ZERO);
        }
        if self.table.form(x).coeff < 0 {
            let value = self.table.atomic(Atom::Apply(op, [minus, y, minus]))?;
            return Ok(self.table.neg(value));
        }
        self.table.atomic(Atom::Apply(op, [x, y, x]))
    }

    /// pi / 2
    pub(super) fn right_angle(&mut self) -> Try<FormId> {
        let pi = self.table.atomic(Atom::Pi)?;
        self.half(pi)
    }

    /// A form that must not grow deeper.
    pub(super) fn shallow(&self, x: FormId) -> Try<FormId> {
        if self.table.is_deep(x) { Err(Stop::Limit) } else { Ok(x) }
    }
}
