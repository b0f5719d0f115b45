//! Numbers of a format: its units in the last place, how literals are rounded to it, the bits that a number has.

use crate::floats::Format;
use crate::num::directed::mul_up;
use crate::num::float::{exponent, power};
use crate::num::mpfr::Rational;
use crate::program::Literal;
use crate::tape::node::{Const, ConstValue};
use crate::tape::{Builder, TapeNode};
use std::sync::Arc;

/// Bits of precision p.
pub(super) fn bits(format: Format) -> i32 {
    format.precision() as i32
}

/// The exponent of the least positive value.
pub(super) fn least_exponent(format: Format) -> i32 {
    format.ulp_exponent(format.emin())
}

/// An upper bound of the error of rounding to nearest a real number of at most that magnitude.
pub(super) fn half_ulp(format: Format, magnitude: f64) -> f64 {
    if magnitude == 0.0 {
        return 0.0;
    }
    if !magnitude.is_finite() {
        return f64::INFINITY;
    }
    let e = exponent(magnitude).max(format.emin());
    let (here, below) = (power(format.ulp_exponent(e) - 1), power(format.ulp_exponent(e - 1) - 1));
    // A number just above 2^e is no further than that from it; up to 2^e the finer grid below counts.
    let over = (magnitude - power(e)).max(0.0);
    // Nothing is further from 0 than its magnitude, and 0 is a value.
    if magnitude >= power(e) { here.min(below.max(over)) } else { here }.min(magnitude)
}

/// `ulps` units in the last place of a number of at most that magnitude, rounded up.
pub(super) fn units(format: Format, ulps: f64, magnitude: f64) -> f64 {
    if !magnitude.is_finite() {
        return f64::INFINITY;
    }
    let e = if magnitude == 0.0 { format.emin() } else { exponent(magnitude) };
    mul_up(ulps, power(format.ulp_exponent(e)))
}

/// The number that a literal means; `None` where it is none.
pub(super) fn constant(literal: &Literal) -> Option<Arc<Const>> {
    let mut builder = Builder::new(0);
    let id = match literal {
        Literal::Number(r) => builder.rational(r.clone()),
        Literal::Named(c) => builder.named(*c),
    };
    let tape = builder.tape();
    match tape.node(id) {
        TapeNode::Const(c) => Some(Arc::new(tape.constant(c).clone())),
        _ => None,
    }
}

/// Bits by which a named constant is enclosed before it is rounded to a format.
const CONSTANT_BITS: u32 = 400;

/// The float that a constant is rounded to, and a bound of how far from it the constant is. `None` where it overflows.
pub(super) fn rounded(constant: &Const, format: Format) -> Option<(f64, f64)> {
    let (lo, hi) = match &constant.value {
        ConstValue::Rational(r) => (r.clone(), r.clone()),
        ConstValue::Named(n) => {
            let v = n.enclose(CONSTANT_BITS)?;
            (v.lo.to_rational()?, v.hi.to_rational()?)
        }
        ConstValue::Within(..) => return None,
    };
    let near = format.round_rational(&lo);
    if !near.is_finite() {
        return None;
    }
    let exact = crate::num::float::rational(near);
    let far = Rational::from(&lo - &exact).abs().max(Rational::from(&hi - &exact).abs());
    Some((near, crate::num::float::rational_to_f64(&far, crate::num::mpfr::Round::Up)))
}

/// The significant bits of a float: 0 for 0.
pub(super) fn significant_bits(x: f64) -> i32 {
    if x == 0.0 { 0 } else { exponent(x.abs()) - trailing_exponent(x) + 1 }
}

/// The largest e for which a float other than 0 is a multiple of 2^e.
pub(super) fn trailing_exponent(x: f64) -> i32 {
    let mantissa = x.to_bits() & ((1 << 52) - 1);
    let zeros = |m: u64| m.trailing_zeros() as i32;
    if x.abs() < f64::MIN_POSITIVE {
        zeros(mantissa) - 1074
    } else {
        exponent(x.abs()) - 52 + zeros(mantissa | 1 << 52)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_those_of_the_largest_magnitude() {
        let of = |magnitude: f64| units(Format::BINARY32, 3.0, magnitude);
        let (least, unit) = (3.0 * power(-149), 3.0 * power(-23));
        assert_eq!([0.0, power(-140), 1.0, 1.5, 2.0].map(of), [least, least, unit, unit, 2.0 * unit]);
        assert_eq!(of(f64::INFINITY), f64::INFINITY);
    }

    #[test]
    fn a_float_is_an_odd_number_of_its_last_units() {
        let mut random = crate::num::random::Random::seeded(3);
        let bits = (0..1000).map(|_| random.bits() & !(1 << 63));
        let small = [1, 2, 3, 12, 1 << 51, 1 << 52, (1 << 52) + 1];
        for x in bits.chain(small).map(f64::from_bits).filter(|x| x.is_finite()) {
            for shift in [0, 7, 51] {
                let x = f64::from_bits(x.to_bits() >> shift << shift);
                if x == 0.0 {
                    continue;
                }
                let units = crate::num::float::rational(x) / crate::num::float::power_of_two(trailing_exponent(x));
                assert!(units.is_integer() && units.numer().is_odd(), "{x:e}");
                assert_eq!(units.numer().significant_bits() as i32, significant_bits(x), "{x:e}");
            }
        }
    }
}
