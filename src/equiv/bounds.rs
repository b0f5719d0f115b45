//! Inequalities by normal forms: bounds of a function, and that two functions are within their tolerances.
//!
//! A quotient is multiplied out, and terms cancel between both sides, before anything is enclosed in intervals.

use super::needs::Signs;
use super::normal::{Meaning, Normalizer};
use super::proof::{FUEL, Prover};
use super::table::{FormId, Try};
use crate::csp::tolerance::LowerTolerance;
use crate::num::Rational;
use crate::tape::NodeId;

impl Prover<'_> {
    /// Prove that |f| is at most `bound` at every point of the domain at which f has a value. The number of boxes that it
    /// took; `None`: not proved.
    #[must_use]
    pub fn prove_at_most(&mut self, f: NodeId, bound: &Rational) -> Option<u32> {
        let f = self.form(f)?;
        let minus = Rational::from(-1);
        let below = self.never_negative(&[(&minus, f)], bound)?;
        Some(below + self.never_negative(&[(&Rational::from(1), f)], bound)?)
    }

    /// Prove that f is at least `bound` wherever it has a value in the domain, or at most `-bound` wherever it has. The
    /// number of boxes that it took; `None`: not proved.
    #[must_use]
    pub fn prove_beyond(&mut self, f: NodeId, bound: &Rational) -> Option<u32> {
        let f = self.form(f)?;
        let minus = Rational::from(-bound);
        [1, -1].into_iter().find_map(|sign| self.never_negative(&[(&Rational::from(sign), f)], &minus))
    }

    /// Prove that f and g have values at the same points of the domain, and that |f - g| is nowhere larger than the sum
    /// of their tolerances, of which `tolerance` is a lower bound. The number of boxes that it took; `None`: not proved.
    #[must_use]
    pub fn prove_near(&mut self, f: NodeId, g: NodeId, tolerance: &LowerTolerance) -> Option<u32> {
        let (a, b) = (self.normalizer.normal(f)?, self.normalizer.normal(g)?);
        let (Meaning::Number(f), Meaning::Number(g)) = (a.meaning, b.meaning) else { return None };
        // |f| + |g| is at least f + g, and at least -f - g.
        let (r, both) = (&tolerance.relative, Rational::from(2) * &tolerance.absolute);
        let one = Rational::from(1);
        let relative = [r.clone(), Rational::from(-r)].map(|r| (r, Rational::new()));
        let sums = relative.into_iter().filter(|(r, _)| *r != 0).chain([(Rational::new(), both)]);
        let boxes = sums.into_iter().filter(|(r, a)| *r != 0 || *a != 0).find_map(|(r, a)| {
            let (plus, minus) = (Rational::from(&r + &one), Rational::from(&r - &one));
            let below = self.never_negative(&[(&minus, f), (&plus, g)], &a)?;
            Some(below + self.never_negative(&[(&plus, f), (&minus, g)], &a)?)
        })?;
        self.same_needs(&a, &b)?;
        Some(boxes)
    }

    /// Prove that a sum of multiples and a constant is nowhere negative.
    fn never_negative(&mut self, terms: &[(&Rational, FormId)], constant: &Rational) -> Option<u32> {
        let Normalizer { table, logic, facts, .. } = &mut self.normalizer;
        table.fuel = FUEL;
        let constant = table.constant(constant.clone());
        let add = |sum: Try<FormId>, (factor, form): &(&Rational, FormId)| {
            let multiple = table.scale(*form, factor)?;
            table.add(sum?, multiple)
        };
        let sum = terms.iter().fold(Ok(constant), add).ok()?;
        let fact = facts.sign(table, logic, sum, Signs::NOT_NEGATIVE)?;
        Some(facts.fact(fact).2)
    }
}
