//! Products of sines and cosines as sums: cos a cos b = (cos(a - b) + cos(a + b)) / 2 and the like. What cancels by
//! angles is hidden in products, as in the haversine formula: cos^2((a - b)/2) - cos a cos b = (1 - cos(a + b)) / 2.

use super::polynomial::Monomial;
use super::table::{Atom, FormId, Table, Try};
use crate::num::Rational;
use crate::ops::Op;

/// The most sines and cosines in one product.
const MAX_FACTORS: u32 = 6;
/// Term operations for one form.
const FUEL: u32 = 10_000;

/// A multiple of the sine or cosine of an angle.
type Wave = (Rational, Op, FormId);

impl Table {
    /// A sign key with the sign of another (the opposite one if the flag is set), wherever that has a value: its products
    /// of sines and cosines written as sums. None if it has none of them.
    pub(super) fn with_sums(&mut self, key: FormId) -> Option<(FormId, bool)> {
        let fuel = std::mem::replace(&mut self.fuel, FUEL);
        let other = self.products_as_sums(key);
        self.fuel = fuel;
        let other = other.ok().flatten()?;
        (other != key && other != FormId::ZERO).then(|| self.sign_key(other))
    }

    fn products_as_sums(&mut self, key: FormId) -> Try<Option<FormId>> {
        let f = self.form(key);
        let terms = self.expand(&f)?;
        let trigonometric = |t: &Table, a| matches!(t.atom(a), Atom::Apply(Op::Sin | Op::Cos, _));
        let factors = |t: &Table, m: &Monomial| {
            m.atoms.iter().filter(|(a, _)| trigonometric(t, *a)).map(|(_, k)| *k).sum::<u32>()
        };
        let most = terms.keys().map(|m| factors(self, m)).max().unwrap_or(0);
        if !(2..=MAX_FACTORS).contains(&most) {
            return Ok(None);
        }
        let mut sum = FormId::ZERO;
        for (m, c) in terms {
            let mut waves: Vec<Wave> = vec![(c, Op::Cos, FormId::ZERO)];
            let mut others = m.clone();
            others.atoms.retain(|(a, _)| !trigonometric(self, *a));
            for (a, k) in m.atoms {
                let Atom::Apply(op @ (Op::Sin | Op::Cos), [u, ..]) = *self.atom(a) else { continue };
                for _ in 0..k {
                    waves = self.times_wave(waves, op, u)?;
                }
            }
            let others = self.collect([(others, Rational::from(1))].into_iter().collect())?;
            for wave in waves {
                let wave = self.wave(wave)?;
                let term = self.mul(others, wave)?;
                sum = self.add(sum, term)?;
            }
        }
        Ok(Some(sum))
    }

    /// The product of waves and a sine or cosine.
    fn times_wave(&mut self, waves: Vec<Wave>, op: Op, u: FormId) -> Try<Vec<Wave>> {
        let mut product = Vec::with_capacity(2 * waves.len());
        for (c, of, v) in waves {
            let half: Rational = c / 2;
            let (less, more) = (self.sub(v, u)?, self.add(v, u)?);
            let minus = Rational::from(-&half);
            match (of, op) {
                // cos v cos u and sin v cos u
                (_, Op::Cos) => product.extend([(half.clone(), of, less), (half, of, more)]),
                // sin v sin u
                (Op::Sin, _) => product.extend([(half, Op::Cos, less), (minus, Op::Cos, more)]),
                // cos v sin u
                _ => product.extend([(half, Op::Sin, more), (minus, Op::Sin, less)]),
            }
        }
        Ok(product)
    }

    /// A wave as a form, the same for an angle and its negative.
    fn wave(&mut self, (c, op, angle): Wave) -> Try<FormId> {
        if angle == FormId::ZERO {
            return Ok(if op == Op::Cos { self.constant(c) } else { FormId::ZERO });
        }
        let flip = self.form(angle).coeff < 0;
        let angle = if flip { self.neg(angle) } else { angle };
        let wave = self.apply1(op, angle)?;
        self.scale(wave, &if flip && op == Op::Sin { -c } else { c })
    }
}
