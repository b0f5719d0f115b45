//! Conversions of floats in gates: between formats, to integers and from them.

use super::super::circuit::{Circuit, SatLiteral};
use super::super::words::{Word, bits_for, constant, raised, resized};
use super::round::{Exact, Last, Mode};
use super::{Unpacked, number};
use crate::floats::Format;

impl Circuit {
    /// The value of another format.
    pub fn float_cast(&mut self, from: Format, to: Format, mode: &Mode, x: &Unpacked) -> Unpacked {
        let last =
            if to.least_exponent() <= from.least_exponent() { Last::Precision } else { Last::Exponent(to.emin()) };
        let finite = self.rounded(to, mode, &x.exact(), last);
        self.special(finite, x.nan, x.infinite, x.negative)
    }

    /// The nearest integer in a direction.
    pub fn float_integral(&mut self, format: Format, mode: &Mode, x: &Unpacked) -> Unpacked {
        let finite = self.rounded(format, mode, &x.exact(), Last::Exponent(format.precision() as i32 - 1));
        self.special(finite, x.nan, x.infinite, x.negative)
    }

    /// The float nearest to an integer; in two's complement where `signed`.
    pub fn float_of_integer(&mut self, format: Format, mode: &Mode, signed: bool, x: &[SatLiteral]) -> Unpacked {
        let negative = if signed { x[x.len() - 1] } else { SatLiteral::FALSE };
        let magnitude = self.negated_where(negative, x);
        let zero = self.is_zero(x);
        let (significand, count) = self.normalized(&magnitude);
        let width = count.len() + 1;
        let top = constant(x.len() as i64 - 1, width.max(bits_for(x.len()) + 1));
        let exponent = self.exact_difference(&top, &resized(&count, width));
        self.rounded(format, mode, &Exact { negative, zero, exponent, significand }, Last::Precision)
    }

    /// The nearest integer in a direction, in so many bits, and whether it has no more; in two's complement where `signed`.
    pub fn integer_of_float(&mut self, mode: &Mode, signed: bool, width: usize, x: &Unpacked) -> (Word, SatLiteral) {
        // `width` bits before the point, one after it, and what is lost.
        let room = x.significand.len().max(width + 2);
        let first = room - x.significand.len();
        let word = raised(&x.significand, first);
        let highest = i32::try_from(width).unwrap_or(i32::MAX) - 1;
        let size = x.exponent.len().max(bits_for(width) + 1);
        let shift = self.exact_difference(&number(highest, size), &x.exponent);
        let large = shift[shift.len() - 1];
        let (mut word, lost) = self.shifted_down(&word, &shift[..shift.len() - 1], SatLiteral::FALSE);
        let below = room - width;
        let sticky = self.any(&word[..below - 1]);
        let sticky = self.or(sticky, lost);
        let guard = word[below - 1];
        let whole = word.split_off(below);
        let up = mode.is_up(self, x.negative, [whole[0], guard, sticky]);
        let (magnitude, carry) = self.incremented(&whole, up);
        let magnitude = self.masked(&magnitude, !x.zero);
        let carry = self.and(carry, !x.zero);
        let nothing = self.is_zero(&magnitude);
        let top = magnitude[width - 1];
        let fits = if signed {
            // Only -2^(width - 1) has that bit.
            let alone = self.is_zero(&magnitude[..width - 1]);
            let least = self.and(x.negative, alone);
            self.or(!top, least)
        } else {
            self.or(!x.negative, nothing)
        };
        let small = self.or(!large, x.zero);
        let special = self.or(x.nan, x.infinite);
        let fits = self.all(&[fits, small, !carry, !special]);
        (self.negated_where(x.negative, &magnitude), fits)
    }
}
