//! Images of narrow intervals in multiple precision, by one evaluation of a dear function instead of one at each end.

use super::mp;
use super::mp::Rounded;
use crate::num::MpInterval;
use crate::num::mpfr::{Float, Round};

/// What is added to the precision of a power while it is computed. Unit: bits.
const GUARD: u32 = 16;
/// Where y log x may be beyond 2^this, the power is beyond MPFR's exponents or the logarithm would be dearer than the power.
const MOST_SIZE: u32 = 72;
/// The relative width of a narrow base and the width of a narrow exponent of e.
const NARROW: f64 = 1.0 / 256.0;

/// x^y by one logarithm and one exponential instead of two each, where x is positive and both intervals are narrow; none
/// where a power by multiplication is cheaper, or where this would say less.
///
/// log x rises by less than w over [a, a (1 + w)], and e^(t + d) <= e^t (1 + d + d^2) for d in [0, 1].
pub(super) fn power(x: &MpInterval, y: &MpInterval, precision: u32) -> Option<MpInterval> {
    let positive = x.lo > 0 && x.hi.is_finite() && y.lo.is_finite() && y.hi.is_finite();
    if !positive || x.is_point() || y.is_point() && y.lo.is_integer() {
        return None;
    }
    let of_log = |v: &Float| v.get_exp().map_or(0, i32::unsigned_abs);
    let bits = |v: &Float| v.get_exp().map_or(0, |e| e.max(0).unsigned_abs());
    // y log x has an absolute error of 2^-precision: its size, and that of log x, are below these powers of two.
    let size = bits(&y.lo).max(bits(&y.hi)) + (32 - of_log(&x.lo).max(of_log(&x.hi)).leading_zeros());
    if size > MOST_SIZE {
        return None;
    }
    let work = precision + size + GUARD;
    let up = |of: &dyn Fn(Round) -> Rounded| of(Round::Up).0;
    let rise = Float::with_val_round(work, &x.hi - &x.lo, Round::Up).0;
    let rise = up(&|r| Float::with_val_round(work, &rise / &x.lo, r));
    if rise > NARROW {
        return None;
    }
    let log = mp::value(|r| Float::with_val_round(work, x.lo.ln_ref(), r));
    let log = MpInterval::new(log.lo, up(&|r| Float::with_val_round(work, &log.hi + &rise, r)));
    let exponent = mp::product(y, (&log.lo, &log.hi), |a, b, r| Float::with_val_round(work, a * b, r));
    let d = Float::with_val_round(work, &exponent.hi - &exponent.lo, Round::Up).0;
    if d > NARROW {
        return None;
    }
    let work = precision + GUARD;
    let least = mp::value(|r| Float::with_val_round(work, exponent.lo.exp_ref(), r));
    if least.lo.is_zero() || !least.hi.is_finite() {
        return None;
    }
    let square = Float::with_val_round(work, d.square_ref(), Round::Up).0;
    let rise = up(&|r| Float::with_val_round(work, &d + &square, r));
    let rise = up(&|r| Float::with_val_round(work, &rise + 1u32, r));
    let most = up(&|r| Float::with_val_round(work, &least.hi * &rise, r));
    Some(mp::rounded(&MpInterval::new(least.lo, most), precision))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::mpfr::Pow as _;

    /// [x, x (1 + 2^-share)], the exponent as it is and as narrow as the base.
    fn operands(x: f64, y: f64, share: u32, precision: u32) -> [(MpInterval, MpInterval); 2] {
        let wide = |v: f64| {
            let a = Float::with_val(precision, v);
            let b = Float::with_val(precision, &a + (Float::with_val(precision, a.abs_ref()) >> share));
            MpInterval::new(a, b)
        };
        let y_itself = MpInterval::new(Float::with_val(precision, y), Float::with_val(precision, y));
        [(wide(x), y_itself), (wide(x), wide(y))]
    }

    #[test]
    fn a_narrow_power_holds_the_powers_at_its_corners_and_little_more() {
        let bases = [1e-300, 3e-7, 0.1, 0.999_999, 1.0, 1.000_001, 2.0, 7.25, 1e10, 1.5e308];
        let exponents = [-1e6, -12.5, -0.3, -1e-9, 1e-9, 0.3, 1.7, 250.5, 123_456.789];
        let mut seen = 0;
        for (x, y) in bases.iter().flat_map(|x| exponents.map(|y| (*x, y))) {
            for share in [9, 20, 60, 110] {
                for (x, y) in operands(x, y, share, 120) {
                    let Some(image) = power(&x, &y, 120) else { continue };
                    seen += 1;
                    let at = |a: &Float, b: &Float, r| Float::with_val_round(400, a.pow(b), r).0;
                    let corners = [(&x.lo, &y.lo), (&x.lo, &y.hi), (&x.hi, &y.lo), (&x.hi, &y.hi)];
                    let down = corners.map(|(a, b)| at(a, b, Round::Down));
                    let up = corners.map(|(a, b)| at(a, b, Round::Up));
                    let least = down.iter().fold(down[0].clone(), |m, v| m.min(v));
                    let most = up.iter().fold(up[0].clone(), |m, v| m.max(v));
                    assert!(image.lo <= least && most <= image.hi, "{x:?} ^ {y:?}");
                    // At most a hundredth wider, and a few units in the last place.
                    let room = (Float::with_val(400, &most - &least) / 100u32) + (most.clone() >> 116u32);
                    assert!(Float::with_val(400, &least - &image.lo) <= room, "{x:?} ^ {y:?}");
                    assert!(Float::with_val(400, &image.hi - &most) <= room, "{x:?} ^ {y:?}");
                }
            }
        }
        assert!(seen > 300, "{seen}");
    }
}
