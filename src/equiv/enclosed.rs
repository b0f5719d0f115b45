//! Enclosures of normal forms in multiple precision: ends of binary64 cannot tell numbers below its least one from 0, nor
//! those above its largest one from one another. Differences of roots, of logarithms and of arcs that cancel are written
//! without the cancellation.

use super::definedness::Signs;
use super::normal::Normalizer;
use super::polynomial::{Monomial, Terms, add_term};
use super::proof::{FUEL, Prover};
use super::table::{Atom, AtomId, FormId, Table};
use crate::num::{MpInterval, Rational};
use crate::ops::{Constant, Op};
use crate::tape::NodeId;
use std::collections::HashMap;

impl Prover<'_> {
    /// Prove that f is not 0 at any input of the domain at which it has a value.
    #[must_use]
    pub fn prove_nonzero(&mut self, f: NodeId) -> bool {
        let Some(form) = self.form(f) else { return false };
        let Normalizer { table, logic, facts, .. } = &mut self.normalizer;
        table.fuel = FUEL;
        // A product is 0 where a factor is; a power of e is none.
        let Some(factors) = table.factors(form) else { return false };
        factors.into_iter().all(|factor| facts.sign(table, logic, factor, Signs::NOT_ZERO).is_some())
    }

    /// Enclose f at the points of a box of inputs at which it has a value, by its normal form, with so many bits. None where
    /// there is no such form.
    #[must_use]
    pub fn enclose(&mut self, f: NodeId, inputs: &[MpInterval], precision: u32) -> Option<MpInterval> {
        let form = self.form(f)?;
        let table = &mut self.normalizer.table;
        table.fuel = FUEL;
        Encloser { table, inputs, precision, known: HashMap::new() }.form(form)
    }
}

/// Encloses forms over one box.
struct Encloser<'a> {
    table: &'a mut Table,
    inputs: &'a [MpInterval],
    precision: u32,
    known: HashMap<FormId, Option<MpInterval>>,
}

impl Encloser<'_> {
    fn form(&mut self, id: FormId) -> Option<MpInterval> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let value = self.product(id);
        self.known.insert(id, value.clone());
        value
    }

    fn product(&mut self, id: FormId) -> Option<MpInterval> {
        let f = self.table.form(id);
        let mut value = self.rational(&f.coeff);
        if f.exp != FormId::ZERO {
            let exp = self.exp(f.exp)?;
            value = self.apply(Op::Mul, &[&value, &exp]);
        }
        for &(a, k) in &f.atoms {
            let atom = self.atom(a)?;
            value = self.times_power(&value, &atom, k);
        }
        for &(p, k) in &f.polys {
            let terms = self.table.poly(p).clone();
            let sum = match self.difference(&terms.0).or_else(|| self.sum_of_roots(&terms.0)) {
                Some(sum) => sum,
                None => self.sum(&terms.0)?,
            };
            value = self.times_power(&value, &sum, k);
        }
        Some(value)
    }

    fn sum(&mut self, terms: &[(Monomial, Rational)]) -> Option<MpInterval> {
        let mut sum = self.rational(&Rational::new());
        for (m, c) in terms {
            let mut term = self.rational(c);
            if m.exp != FormId::ZERO {
                let exp = self.exp(m.exp)?;
                term = self.apply(Op::Mul, &[&term, &exp]);
            }
            for &(a, k) in &m.atoms {
                let atom = self.atom(a)?;
                term = self.times_power(&term, &atom, i32::try_from(k).ok()?);
            }
            sum = self.apply(Op::Add, &[&sum, &term]);
        }
        Some(sum)
    }

    fn atom(&mut self, id: AtomId) -> Option<MpInterval> {
        match self.table.atom(id).clone() {
            Atom::Input(i) => Some(self.inputs[i as usize].clone()),
            Atom::Pi => Constant::Pi.enclose(self.precision),
            Atom::Apply(op, args) => {
                let args = args[..op.arity()].iter().map(|a| self.form(*a)).collect::<Option<Vec<MpInterval>>>()?;
                Some(self.apply(op, &args.iter().collect::<Vec<_>>()))
            }
            Atom::Factor(..) | Atom::If(..) | Atom::Node(_) => None,
        }
    }

    /// A multiple of g(u) - g(v), by an identity in which u - v is a form of its own, or of 1 - e^u or 1 - cos u.
    fn difference(&mut self, terms: &[(Monomial, Rational)]) -> Option<MpInterval> {
        let [(m, c), (n, d)] = terms else { return None };
        if Rational::from(c + d) != 0 {
            return None;
        }
        if let Some(value) = self.less_one((m, c), n).or_else(|| self.less_one((n, d), m)) {
            return Some(value);
        }
        let ([(a, 1)], [(b, 1)]) = (m.atoms.as_slice(), n.atoms.as_slice()) else { return None };
        if m.exp != FormId::ZERO || n.exp != FormId::ZERO {
            return None;
        }
        let (Atom::Apply(g, [u, ..]), Atom::Apply(h, [v, ..])) = (self.table.atom(*a), self.table.atom(*b)) else {
            return None;
        };
        let (g, u, v) = (*g, *u, *v);
        if g != *h || !matches!(g, Op::Cbrt | Op::Atan | Op::Log) {
            return None;
        }
        let apart = self.table.sub(u, v).ok()?;
        let (x, y, apart) = (self.form(u)?, self.form(v)?, self.form(apart)?);
        let one = self.rational(&Rational::from(1));
        let value = match g {
            // With p and q the cube roots: p - q = (u - v) / (p^2 + p q + q^2)
            Op::Cbrt => {
                let (p, q) = (self.apply(g, &[&x]), self.apply(g, &[&y]));
                let squares = self.apply(Op::Add, &[&self.square(&p), &self.square(&q)]);
                let sum = self.apply(Op::Fma, &[&p, &q, &squares]);
                self.apply(Op::Div, &[&apart, &sum])
            }
            // atan u - atan v = atan((u - v) / (1 + u v)), where u v > -1
            Op::Atan => {
                let below = self.apply(Op::Fma, &[&x, &y, &one]);
                if below.lo <= 0 {
                    return None;
                }
                let tangent = self.apply(Op::Div, &[&apart, &below]);
                self.apply(g, &[&tangent])
            }
            // log u - log v = log1p((u - v) / v), where v > 0, as it is where log v has a value
            _ => {
                let quotient = self.apply(Op::Div, &[&apart, &y]);
                self.apply(Op::Log1p, &[&quotient])
            }
        };
        Some(self.apply(Op::Mul, &[&self.rational(c), &value]))
    }

    /// A multiple of e^u - 1, as expm1 u, or of cos u - 1, as -2 (sin (u / 2))^2.
    fn less_one(&mut self, (m, c): (&Monomial, &Rational), one: &Monomial) -> Option<MpInterval> {
        if *one != Monomial::one() {
            return None;
        }
        let value = match (m.atoms.as_slice(), m.exp) {
            ([], exp) => {
                let x = self.form(exp)?;
                self.apply(Op::Expm1, &[&x])
            }
            ([(a, 1)], FormId::ZERO) => {
                let Atom::Apply(Op::Cos, [u, ..]) = *self.table.atom(*a) else { return None };
                let half = self.table.scale(u, &Rational::from((1, 2))).ok()?;
                let half = self.form(half)?;
                let square = self.square(&self.apply(Op::Sin, &[&half]));
                self.apply(Op::Mul, &[&self.rational(&Rational::from(-2)), &square])
            }
            _ => return None,
        };
        Some(self.apply(Op::Mul, &[&self.rational(c), &value]))
    }

    /// A polynomial a sqrt u + b sqrt v, as (a^2 u - b^2 v) / (a sqrt u - b sqrt v), whose numerator is a form of its own.
    fn sum_of_roots(&mut self, terms: &[(Monomial, Rational)]) -> Option<MpInterval> {
        let root = |t: &Table, a: AtomId| match t.atom(a) {
            Atom::Apply(Op::Sqrt, [u, ..]) => Some(*u),
            _ => None,
        };
        let mut sides: Vec<(AtomId, FormId, Terms)> = Vec::new();
        for (m, c) in terms {
            let mut roots = m.atoms.iter().filter_map(|(a, k)| Some((*a, *k, root(self.table, *a)?)));
            let (Some((atom, 1, inside)), None) = (roots.next(), roots.next()) else { return None };
            let rest = Monomial { exp: m.exp, atoms: m.atoms.iter().copied().filter(|(a, _)| *a != atom).collect() };
            match sides.iter_mut().find(|(a, ..)| *a == atom) {
                Some((.., side)) => add_term(side, rest, c.clone()),
                None => sides.push((atom, inside, Terms::from([(rest, c.clone())]))),
            }
        }
        let mut parts = Vec::new();
        for (_, inside, terms) in sides {
            let factor = self.table.collect(terms).ok()?;
            let square = self.table.power(factor, 2).ok()?;
            let square = self.table.mul(square, inside).ok()?;
            let (factor, inside) = (self.form(factor)?, self.form(inside)?);
            let value = self.apply(Op::Mul, &[&factor, &self.apply(Op::Sqrt, &[&inside])]);
            parts.push((square, value));
        }
        let [(p2, p), (q2, q)] = parts.as_slice() else { return None };
        let difference = self.table.sub(*p2, *q2).ok()?;
        let above = self.form(difference)?;
        Some(self.apply(Op::Div, &[&above, &self.apply(Op::Sub, &[p, q])]))
    }

    fn exp(&mut self, id: FormId) -> Option<MpInterval> {
        let x = self.form(id)?;
        Some(self.apply(Op::Exp, &[&x]))
    }

    fn square(&self, x: &MpInterval) -> MpInterval {
        self.power(x, 2)
    }

    fn power(&self, x: &MpInterval, k: i32) -> MpInterval {
        if k == 1 { x.clone() } else { self.apply(Op::Pow, &[x, &self.rational(&Rational::from(k))]) }
    }

    fn times_power(&self, value: &MpInterval, x: &MpInterval, k: i32) -> MpInterval {
        let op = if k < 0 { Op::Div } else { Op::Mul };
        match i32::try_from(k.unsigned_abs()) {
            Ok(k) => self.apply(op, &[value, &self.power(x, k)]),
            Err(_) => MpInterval::entire(self.precision, crate::num::Ternary::Unknown),
        }
    }

    fn rational(&self, x: &Rational) -> MpInterval {
        MpInterval::from_rational(x, self.precision)
    }

    fn apply(&self, op: Op, args: &[&MpInterval]) -> MpInterval {
        op.enclose(args, self.precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_terms_have_the_powers_that_a_form_says() {
        let mut table = Table::new();
        table.fuel = 1_000_000;
        let values = [Rational::from(3), Rational::from((-5, 2))];
        let inputs = values.each_ref().map(|x| MpInterval::from_rational(x, 100));
        let [x, y] = [0, 1].map(|i| table.atomic(Atom::Input(i)).expect("a form"));
        let sum = table.add(x, y).expect("a form");
        let value_of_sum = Rational::from(&values[0] + &values[1]);
        let power = |x: &Rational, k: i32| {
            let size = (0..k.abs()).fold(Rational::from(1), |product, _| product * x);
            if k < 0 { size.recip() } else { size }
        };
        for (i, j) in (-3..=3).flat_map(|i| (-3..=3).map(move |j| (i, j))) {
            let (of_x, of_sum) = (table.power(x, i).expect("a form"), table.power(sum, j).expect("a form"));
            let product = table.mul(of_x, of_sum).expect("a form");
            let form = table.add(product, y).expect("a form");
            let expected = power(&values[0], i) * power(&value_of_sum, j) + &values[1];
            let found =
                Encloser { table: &mut table, inputs: &inputs, precision: 100, known: HashMap::new() }.form(form);
            let found = found.expect("an enclosure");
            assert!(found.lo <= expected && found.hi >= expected, "{i} {j}: {found:?} {expected}");
            assert!(found.lo.to_f64() - found.hi.to_f64() > -1e-20, "{i} {j}: {found:?}");
        }
    }
}
