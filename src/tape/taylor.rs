//! Taylor remainders of functions that are nearly the identity near 0: u - h(u) = u^n theta with theta in an interval.

use super::builder::Builder;
use super::node::{ConstValue, NodeId, Tape, TapeNode};
use crate::num::Rational;
use crate::num::mpfr::Integer;
use crate::ops::Op;

/// The functions are bounded for |u| up to this.
const RADIUS: f64 = 0.5;

/// The coefficient of u^n in the Taylor series of the function at 0, for those whose later remainders are known.
fn coefficient(op: Op, n: u32) -> Option<Rational> {
    let odd = n % 2 == 1;
    // (-1)^((n - 1) / 2) for odd n.
    let turning = if n % 4 == 1 { 1 } else { -1 };
    let factorial = || Rational::from(Integer::from(Integer::factorial(n)));
    Some(match op {
        Op::Sin | Op::Sinh | Op::Atan if !odd => Rational::new(),
        Op::Sin => Rational::from(turning) / factorial(),
        Op::Sinh | Op::Expm1 if n > 0 => factorial().recip(),
        Op::Atan => Rational::from((turning, n)),
        Op::Log1p if n > 0 => Rational::from((if odd { 1 } else { -1 }, n)),
        _ => return None,
    })
}

/// Bounds of theta in `op(u) - (the terms of its series below u^n) = u^n theta` for |u| <= 1/2; the coefficient of u^n must
/// not be 0.
///
/// sin, atan: the series alternates and its terms shrink, by the factor u^2 / ((n + 1) (n + 2)) or less than u^2.
/// sinh, exp, log: Lagrange's remainder, with cosh(1/2) < 1.13, e^(1/2) < 1.65 and 1 / (1 + xi) between 2/3 and 2.
fn later_rest(op: Op, n: u32) -> Option<(Rational, Rational)> {
    let a = coefficient(op, n).filter(|a| *a != 0)?;
    let [p, q] = match op {
        Op::Sin => [Rational::from(1) - Rational::from((1, 4 * (n + 1) * (n + 2))), Rational::from(1)],
        Op::Sinh => [Rational::from(1), Rational::from((113, 100))],
        Op::Expm1 => [Rational::from((60, 100)), Rational::from((165, 100))],
        Op::Atan => [Rational::from((3, 4)), Rational::from(1)],
        Op::Log1p => [
            Rational::from((Integer::from(Integer::u_pow_u(2, n)), Integer::from(Integer::u_pow_u(3, n)))),
            Rational::from(Integer::from(Integer::u_pow_u(2, n))),
        ],
        _ => return None,
    };
    let (p, q) = (p * &a, q * &a);
    Some(if p < q { (p, q) } else { (q, p) })
}

/// The highest power of a series that is compared.
const MAX_SERIES: u32 = 15;

/// Whether the tape has a function whose remainder is known where its operand is small.
#[must_use]
pub fn knows_series(tape: &Tape) -> bool {
    tape.nodes().iter().any(|n| matches!(n, TapeNode::Op(op, _) if op.shape().near_identity.is_some()))
}

impl Builder {
    /// n and theta in `u - op(u) = u^n theta`, where `u` is small on all of the domain that was announced.
    pub(super) fn taylor_rest(&mut self, op: Op, u: NodeId) -> Option<(u32, NodeId)> {
        let (power, [lo, hi]) = op.shape().near_identity?;
        if self.range(u)?.x.mag() <= RADIUS {
            let theta = ConstValue::Within(Rational::from((lo, 1000)), Rational::from((hi, 1000)));
            return Some((power, self.constant(theta)));
        }
        None
    }

    /// How far a sum agrees with the Taylor series of `op(u)`, where the remainder of that is known and u is small on
    /// all of the domain that was announced: `agrees(n, a)` tells whether the sum has the term a u^n. The terms in
    /// common, and n and theta of the remainder `op(u) - terms = u^n theta`.
    pub(super) fn series(
        &mut self,
        op: Op,
        u: NodeId,
        agrees: impl Fn(&mut Self, u32, &Rational) -> bool,
    ) -> Option<(Vec<u32>, u32, NodeId)> {
        self.taylor_rest(op, u)?;
        let mut shared = Vec::new();
        for n in 1..=MAX_SERIES {
            let a = coefficient(op, n)?;
            if a == 0 {
                continue;
            }
            if !agrees(self, n, &a) {
                let (lo, hi) = later_rest(op, n)?;
                return (shared.len() > 1).then(|| (shared, n, self.constant(ConstValue::Within(lo, hi))));
            }
            shared.push(n);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::MpInterval;
    use crate::num::mpfr::{Float, Pow};

    #[test]
    fn the_rest_after_each_term_of_a_series_is_known() {
        for op in [Op::Sin, Op::Sinh, Op::Expm1, Op::Atan, Op::Log1p] {
            for n in 1..=MAX_SERIES {
                // Odd functions have no terms of an even power.
                let has_term = n % 2 == 1 || matches!(op, Op::Expm1 | Op::Log1p);
                assert_eq!(coefficient(op, n).map(|a| a != 0), Some(has_term), "{op:?} {n}");
                assert_eq!(later_rest(op, n).is_some(), has_term, "{op:?} {n}");
            }
        }
    }

    /// The later bounds hold too.
    #[test]
    fn later_rests_are_enclosed() {
        for op in [Op::Sin, Op::Sinh, Op::Expm1, Op::Atan, Op::Log1p] {
            for n in (2..=MAX_SERIES + 2).filter(|n| later_rest(op, *n).is_some()) {
                let (lo, hi) = later_rest(op, n).unwrap();
                for k in (-50..=50).filter(|k| *k != 0) {
                    let u = Rational::from((k, 100));
                    let value = op.enclose(&[&MpInterval::from_rational(&u, 600)], 600);
                    let power = |j: u32| Rational::from((&u).pow(j));
                    let below: Rational = (1..n).map(|j| coefficient(op, j).unwrap() * power(j)).sum();
                    let theta = Float::with_val(600, &value.lo - &below) / Float::with_val(600, power(n));
                    assert!(theta >= lo && theta <= hi, "{op:?} {n} {k} {theta}");
                }
            }
        }
    }

    /// The bounds hold at points over the whole range, judged in multiple precision.
    #[test]
    fn remainders_are_enclosed() {
        for &op in Op::ALL.iter() {
            let Some((power, [lo, hi])) = op.shape().near_identity else { continue };
            for k in (-500..=500).filter(|k| *k != 0) {
                let u = MpInterval::from_rational(&Rational::from((k, 1000)), 300);
                let value = op.enclose(&[&u], 300);
                let theta = Float::with_val(300, &u.lo - &value.lo) / Float::with_val(300, (&u.lo).pow(power));
                assert!(theta >= f64::from(lo) / 1000.0 && theta <= f64::from(hi) / 1000.0, "{op:?} {k} {theta}");
            }
        }
    }
}
