//! Rounding in gates: to a format, at its subnormals too, and to integers.

use super::super::circuit::{Circuit, SatLiteral};
use super::super::words::{Word, bits_for, constant, inverted, raised, resized, sign_extended};
use super::{Unpacked, number};
use crate::floats::{Format, Rounding};

/// A direction: what holds of it.
#[derive(Clone, Copy, Debug)]
pub struct Mode([SatLiteral; Rounding::ALL.len()]);

impl Mode {
    /// The direction whose place in [`Rounding::ALL`] a word is.
    #[must_use]
    pub fn of(circuit: &mut Circuit, place: &[SatLiteral]) -> Self {
        let is = |k: i64| circuit.same_words(place, &constant(k, place.len()));
        Mode([0, 1, 2, 3, 4].map(is))
    }

    /// Whether it is this one.
    #[must_use]
    pub fn is(&self, mode: Rounding) -> SatLiteral {
        let place = Rounding::ALL.iter().position(|m| *m == mode).unwrap_or_default();
        self.0[place]
    }

    /// Whether a magnitude goes to the next: what its last bit is, the bit below that, and whether there is more.
    pub(super) fn is_up(
        &self,
        c: &mut Circuit,
        negative: SatLiteral,
        [last, guard, sticky]: [SatLiteral; 3],
    ) -> SatLiteral {
        let inexact = c.or(guard, sticky);
        let beyond = c.or(sticky, last);
        let even = c.and(guard, beyond);
        let even = c.and(even, self.is(Rounding::NearestEven));
        let away = c.and(guard, self.is(Rounding::NearestAway));
        let outward = c.choice(negative, self.is(Rounding::Down), self.is(Rounding::Up));
        let outward = c.and(inexact, outward);
        c.any(&[even, away, outward])
    }

    /// Whether what is beyond the greatest number becomes an infinity.
    fn overflows(&self, c: &mut Circuit, negative: SatLiteral) -> SatLiteral {
        let outward = c.choice(negative, self.is(Rounding::Down), self.is(Rounding::Up));
        c.any(&[self.is(Rounding::NearestEven), self.is(Rounding::NearestAway), outward])
    }
}

/// A number before it is rounded: the top bit of its significand is set unless it is zero; its lowest may stand for all below.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) negative: SatLiteral,
    pub(super) zero: SatLiteral,
    pub(super) exponent: Word,
    pub(super) significand: Word,
}

/// Where a number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    /// At the precision, whatever the exponent: what is below the least normal number is exact.
    Precision,
    /// At the precision, but no lower than the last bit of numbers with this exponent.
    Exponent(i32),
}

impl Circuit {
    /// A number as a float of a format.
    pub(super) fn rounded(&mut self, format: Format, mode: &Mode, x: &Exact, last: Last) -> Unpacked {
        let p = format.precision() as usize;
        let missing = (p + 2).saturating_sub(x.significand.len());
        let full = raised(&x.significand, missing);
        let rest = full.len() - p;
        let kept = &full[rest..];
        let (guard, sticky) = (full[rest - 1], self.any(&full[..rest - 1]));
        let (significand, exponent, vanished) = match last {
            Last::Precision => {
                let up = mode.is_up(self, x.negative, [kept[0], guard, sticky]);
                let (sum, carry) = self.incremented(kept, up);
                let exponent = self.stepped(&x.exponent, carry);
                (with_top(self, sum, carry), exponent, SatLiteral::FALSE)
            }
            Last::Exponent(least) => self.rounded_above(mode, x, (kept, guard, sticky), least),
        };
        let zero = self.or(x.zero, vanished);
        // What is too large.
        let width = exponent.len().max(super::exponent_width(format)) + 1;
        let above = self.is_less_signed(&number(format.emax(), width), &sign_extended(&exponent, width));
        let above = self.and(above, !zero);
        let to_infinity = mode.overflows(self, x.negative);
        let infinite = self.and(above, to_infinity);
        let clamped = self.and(above, !to_infinity);
        let significand: Word = significand.iter().map(|l| self.or(*l, clamped)).collect();
        let width = super::exponent_width(format);
        let exponent = self.choice_word(clamped, &number(format.emax(), width), &sign_extended(&exponent, width));
        Unpacked { nan: SatLiteral::FALSE, infinite, zero, negative: x.negative, exponent, significand }
    }

    /// An exponent, one more where something is carried.
    fn stepped(&mut self, exponent: &[SatLiteral], carry: SatLiteral) -> Word {
        self.incremented(&sign_extended(exponent, exponent.len() + 1), carry).0
    }

    /// The significand that is rounded no lower than at the last bit of numbers with an exponent `least`: it, its exponent, and
    /// whether it is nothing.
    fn rounded_above(
        &mut self,
        mode: &Mode,
        x: &Exact,
        (kept, guard, sticky): (&[SatLiteral], SatLiteral, SatLiteral),
        least: i32,
    ) -> (Word, Word, SatLiteral) {
        let p = kept.len();
        // How many of the bits that would be kept are below that.
        let width = x.exponent.len().max(bits_for(least.unsigned_abs() as usize + p + 1) + 1) + 1;
        let drop = self.minus(&number(least, width), &sign_extended(&x.exponent, width));
        let drop = self.masked(&drop[..width - 1], !drop[width - 1]);
        let low = resized(&drop, bits_for(p));
        let most = constant(p as i64, width - 1);
        let beyond = self.is_less(&most, &drop);
        let ones = vec![SatLiteral::TRUE; p];
        let above = self.shifted_up(&ones, &low);
        // dropped[k]: bit k is below; one more place says that all are, and that the first of them is no guard.
        let mut dropped: Word = inverted(&above).iter().map(|l| self.or(*l, beyond)).collect();
        dropped.push(beyond);
        let last_place: Word =
            (0..p).map(|k| if k == 0 { !dropped[0] } else { self.and(dropped[k - 1], !dropped[k]) }).collect();
        let left = self.map_words(kept, &dropped, |c, bit, dropped| c.and(bit, !dropped));
        let lasts = self.map_words(kept, &last_place, Circuit::and);
        let last = self.any(&lasts);
        let mut guards: Word = vec![self.and(guard, !dropped[0])];
        for k in 0..p {
            let is_guard = self.and(dropped[k], !dropped[k + 1]);
            guards.push(self.and(kept[k], is_guard));
        }
        let lows: Word = (0..p).map(|k| self.and(kept[k], dropped[k + 1])).collect();
        let low_guard = self.and(guard, dropped[0]);
        let (first, low) = (self.any(&guards), self.any(&lows));
        let more = self.any(&[sticky, low, low_guard]);
        let up = mode.is_up(self, x.negative, [last, first, more]);
        let step = self.masked(&last_place, up);
        let (sum, carry) = self.sum(&left, &step, SatLiteral::FALSE);
        let none_kept = dropped[p - 1];
        let whole = self.and(none_kept, up);
        let carry = self.or(carry, whole);
        let tiny = number(least - p as i32, width);
        let exponent = self.choice_word(beyond, &tiny, &sign_extended(&x.exponent, width));
        let exponent = self.stepped(&exponent, carry);
        let vanished = self.and(none_kept, !up);
        (with_top(self, sum, carry), exponent, vanished)
    }
}

/// A significand after a carry: its top bit is set again.
fn with_top(c: &mut Circuit, mut sum: Word, carry: SatLiteral) -> Word {
    if let Some(top) = sum.last_mut() {
        *top = c.or(*top, carry);
    }
    sum
}
