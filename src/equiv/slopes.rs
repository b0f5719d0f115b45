//! Enclosures of the derivatives of normal forms over a box in which they have values.

use super::polynomial::Monomial;
use super::range::{Evaluator, Range};
use super::table::{Atom, AtomId, FormId};
use crate::num::{Interval, Ternary};
use crate::ops::{MAX_ARITY, Op};
use std::collections::HashMap;

/// The derivatives by every input.
type Gradient = Vec<Interval>;

/// Computes derivatives over the box of an evaluator.
pub(super) struct Slopes<'e, 'a> {
    at: &'e mut Evaluator<'a>,
    forms: HashMap<FormId, Option<Gradient>>,
    atoms: HashMap<AtomId, Option<Gradient>>,
}

/// A value with its derivatives.
type Jet = (Interval, Gradient);

impl<'e, 'a> Slopes<'e, 'a> {
    /// Nothing is computed yet.
    pub(super) fn new(at: &'e mut Evaluator<'a>) -> Self {
        Slopes { at, forms: HashMap::new(), atoms: HashMap::new() }
    }

    fn constant(&self, c: Interval) -> Jet {
        (c, vec![Interval::point(0.0); self.at.ranges.len()])
    }

    /// The derivatives of a form; none if it may jump, or be without a value, in the box.
    pub(super) fn form(&mut self, id: FormId) -> Option<Gradient> {
        if let Some(known) = self.forms.get(&id) {
            return known.clone();
        }
        let gradient = self.of_form(id);
        self.forms.insert(id, gradient.clone());
        gradient
    }

    fn of_form(&mut self, id: FormId) -> Option<Gradient> {
        let f = self.at.t.form(id);
        let mut jet = self.constant(self.at.t.factor(id));
        if f.exp != FormId::ZERO {
            jet = times(jet, self.exponential(f.exp)?);
        }
        for &(a, k) in &f.atoms {
            jet = times(jet, self.power_of_atom(a, k)?);
        }
        for &(p, k) in &f.polys {
            let mut sum = self.constant(Interval::point(0.0));
            let t = self.at.t;
            for (m, c) in t.terms(p) {
                let term = self.term(m, c)?;
                sum = (sum.0 + term.0, sum.1.iter().zip(&term.1).map(|(a, b)| *a + *b).collect());
            }
            jet = times(jet, power(sum, k)?);
        }
        Some(jet.1)
    }

    fn term(&mut self, m: &Monomial, c: Interval) -> Option<Jet> {
        let mut jet = self.constant(c);
        if m.exp != FormId::ZERO {
            jet = times(jet, self.exponential(m.exp)?);
        }
        for &(a, k) in &m.atoms {
            jet = times(jet, self.power_of_atom(a, i32::try_from(k).ok()?)?);
        }
        Some(jet)
    }

    fn exponential(&mut self, exponent: FormId) -> Option<Jet> {
        let gradient = self.form(exponent)?;
        let x = self.at.form(exponent).0;
        apply(Op::Exp, &[(x, gradient)])
    }

    fn power_of_atom(&mut self, id: AtomId, k: i32) -> Option<Jet> {
        let gradient = match self.atoms.get(&id) {
            Some(known) => known.clone(),
            None => {
                let gradient = self.of_atom(id);
                self.atoms.insert(id, gradient.clone());
                gradient
            }
        };
        let (x, def) = self.at.atom(id);
        if !def.is_true() {
            return None;
        }
        power((x, gradient?), k)
    }

    fn of_atom(&mut self, id: AtomId) -> Option<Gradient> {
        let zero = vec![Interval::point(0.0); self.at.ranges.len()];
        match self.at.t.atom(id).clone() {
            Atom::Input(i) => {
                let mut unit = zero;
                *unit.get_mut(i as usize)? = Interval::point(1.0);
                Some(unit)
            }
            Atom::Pi => Some(zero),
            Atom::Apply(op, args) => {
                let mut jets = Vec::with_capacity(op.arity());
                for a in &args[..op.arity()] {
                    let gradient = self.form(*a)?;
                    jets.push((self.at.form(*a).0, gradient));
                }
                apply(op, &jets).map(|j| j.1)
            }
            Atom::If(c, t, e) => match self.at.cond(c) {
                (Ternary::True, Ternary::True) => self.form(t),
                (Ternary::False, Ternary::True) => self.form(e),
                _ => None,
            },
            Atom::Factor(..) | Atom::Node(_) => None,
        }
    }
}

fn times(a: Jet, b: Jet) -> Jet {
    let gradient = a.1.iter().zip(&b.1).map(|(da, db)| *da * b.0 + a.0 * *db).collect();
    (a.0 * b.0, gradient)
}

fn power(x: Jet, k: i32) -> Option<Jet> {
    if k == 1 {
        return Some(x);
    }
    let exponent = (Interval::point(f64::from(k)), vec![Interval::point(0.0); x.1.len()]);
    apply(Op::Pow, &[x, exponent])
}

/// The chain rule; none if the operator may be without a value in the box.
fn apply(op: Op, args: &[Jet]) -> Option<Jet> {
    let x: Vec<Interval> = args.iter().map(|a| a.0).collect();
    let (y, def) = op.forward(&x);
    if !def.is_true() {
        return None;
    }
    let mut partials = [Interval::ENTIRE; MAX_ARITY];
    op.partials(&x, &mut partials[..x.len()]);
    let zero = Interval::point(0.0);
    let mut gradient = vec![zero; args[0].1.len()];
    for (a, partial) in args.iter().zip(partials) {
        for (g, d) in gradient.iter_mut().zip(&a.1) {
            // An operand that does not vary adds nothing, however steep the operator is.
            if *d != zero {
                *g = *g + partial * *d;
            }
        }
    }
    Some((y, gradient))
}

impl Evaluator<'_> {
    /// An enclosure of the form's values, made sharper by its slopes unless it is `enough` as it is.
    pub(super) fn sharp(&mut self, id: FormId, enough: impl Fn(Interval) -> bool) -> Range {
        let (x, def) = self.form(id);
        if enough(x) || !def.is_true() || self.ranges.iter().all(|r| r.is_point()) {
            return (x, def);
        }
        let Some(slopes) = Slopes::new(self).form(id) else { return (x, def) };
        // Where the form grows with an input throughout, its least value is at the lower end.
        let (mut low, mut high) = (self.ranges.to_vec(), self.ranges.to_vec());
        let centre: Vec<Interval> = self.ranges.iter().map(|r| Interval::point(r.mid())).collect();
        let mut change = Interval::point(0.0);
        for (i, slope) in slopes.iter().enumerate() {
            let (a, b) = (Interval::point(self.ranges[i].inf()), Interval::point(self.ranges[i].sup()));
            change = change + *slope * (self.ranges[i] - centre[i]);
            if a.is_empty() || b.is_empty() {
                continue;
            }
            if slope.inf() >= 0.0 {
                (low[i], high[i]) = (a, b);
            } else if slope.sup() <= 0.0 {
                (low[i], high[i]) = (b, a);
            }
        }
        let (low, high) = (self.over(&low).form(id).0, self.over(&high).form(id).0);
        let middle = self.over(&centre).form(id).0 + change;
        let ends = Interval::new(low.inf(), high.sup());
        // All three hold the values; none is empty, since the form has values.
        (x & ends & middle, def)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_slopes_where_it_surely_has_a_value() {
        let one = Interval::point(1.0);
        let root = |lo: f64, hi: f64| apply(Op::Sqrt, &[(Interval::new(lo, hi), vec![one])]);
        assert!(root(-1.0, 4.0).is_none() && root(-2.0, -1.0).is_none());
        let (value, slopes) = root(1.0, 4.0).expect("slopes");
        assert!(value.contains(1.0) && value.contains(2.0) && slopes[0].contains(0.25) && slopes[0].contains(0.5));
    }
}
