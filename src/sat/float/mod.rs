//! Floats in gates: taken apart into class, sign, exponent and a significand whose top bit is set.

mod arithmetic;
mod convert;
mod round;

use super::circuit::{Circuit, SatLiteral};
use super::words::{Word, bits_for, constant, raised, sign_extended};
use crate::floats::Format;
use crate::floats::set::Class;

pub use round::Mode;

/// A float taken apart. Where it is NaN, infinite or zero, exponent and significand say nothing.
#[derive(Clone, Debug)]
pub struct Unpacked {
    /// Whether it is NaN.
    pub nan: SatLiteral,
    /// Whether it is an infinity.
    pub infinite: SatLiteral,
    /// Whether it is a zero.
    pub zero: SatLiteral,
    /// Its sign bit.
    pub negative: SatLiteral,
    /// The exponent of its top bit, in two's complement.
    pub exponent: Word,
    /// As many bits as the precision, the top one set in a subnormal number too.
    pub significand: Word,
}

/// Bits of the exponent of a float that was taken apart: from that of the least subnormal to one beyond the greatest.
fn exponent_width(format: Format) -> usize {
    let most = (format.emax() + 1).max(format.precision() as i32 - format.emin());
    bits_for(most as usize) + 1
}

/// A word in two's complement for a small integer.
fn number(value: i32, width: usize) -> Word {
    constant(value.into(), width)
}

impl Circuit {
    /// The difference in two's complement, which has the room for it.
    fn exact_difference(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> Word {
        let width = a.len().max(b.len()) + 1;
        self.minus(&sign_extended(a, width), &sign_extended(b, width))
    }

    /// The sum in two's complement, which has the room for it.
    fn exact_sum(&mut self, a: &[SatLiteral], b: &[SatLiteral]) -> Word {
        let width = a.len().max(b.len()) + 1;
        self.plus(&sign_extended(a, width), &sign_extended(b, width))
    }

    /// The float with these bits, taken apart.
    pub fn unpack(&mut self, format: Format, bits: &[SatLiteral]) -> Unpacked {
        let p = format.precision() as usize;
        let (fraction, rest) = bits.split_at(p - 1);
        let (field, sign) = (&rest[..rest.len() - 1], rest[rest.len() - 1]);
        let no_field = self.is_zero(field);
        let full = self.all(field);
        let no_fraction = self.is_zero(fraction);
        let width = exponent_width(format);
        // The field counts from one below that of the least normal number.
        let biased: Word = field.iter().copied().chain([SatLiteral::FALSE]).collect();
        let bias = number(format.emin() - 1, width);
        let normal = self.plus(&sign_extended(&biased, width), &bias);
        let (shifted, count) = self.normalized(fraction);
        let count: Word = count.into_iter().chain([SatLiteral::FALSE]).collect();
        let top = number(format.emin() - 1, width);
        let small = self.minus(&top, &sign_extended(&count, width));
        let exponent = self.choice_word(no_field, &small, &normal);
        let lifted = raised(&shifted, 1);
        let hidden: Word = fraction.iter().copied().chain([SatLiteral::TRUE]).collect();
        let mut significand = self.choice_word(no_field, &lifted, &hidden);
        significand[p - 1] = SatLiteral::TRUE;
        Unpacked {
            nan: self.and(full, !no_fraction),
            infinite: self.and(full, no_fraction),
            zero: self.and(no_field, no_fraction),
            negative: sign,
            exponent,
            significand,
        }
    }

    /// The bits of a float; NaN has those of one only.
    pub fn pack(&mut self, format: Format, x: &Unpacked) -> Word {
        let p = format.precision() as usize;
        let width = x.exponent.len() + 1;
        let emin = number(format.emin(), width);
        let below = self.minus(&emin, &sign_extended(&x.exponent, width));
        // What is less than emin is subnormal.
        let sign = below[width - 1];
        let is_equal = self.is_zero(&below);
        let normal = self.or(sign, is_equal);
        let shift = self.masked(&below[..width - 1], !normal);
        let (fraction, _) = self.shifted_down(&x.significand, &shift, SatLiteral::FALSE);
        let bits = format.exponent_bits() as usize;
        let bias = number(1 - format.emin(), width.max(bits));
        let field = self.plus(&sign_extended(&x.exponent, width.max(bits)), &bias);
        let field = self.masked(&field[..bits], normal);
        let special = self.or(x.nan, x.infinite);
        let empty = self.or(special, x.zero);
        let mut packed = self.masked(&fraction[..p - 1], !empty);
        // The top bit of the fraction.
        packed[p - 2] = self.or(packed[p - 2], x.nan);
        let field = self.masked(&field, !x.zero);
        packed.extend(field.iter().map(|l| self.or(*l, special)));
        packed.push(self.and(x.negative, !x.nan));
        packed
    }

    /// Whether bits are those of NaN.
    pub fn is_nan(&mut self, format: Format, bits: &[SatLiteral]) -> SatLiteral {
        let (fraction, rest) = bits.split_at(format.precision() as usize - 1);
        let full = self.all(&rest[..rest.len() - 1]);
        let any = self.any(fraction);
        self.and(full, any)
    }

    /// The same bits, but of NaN those of one NaN only.
    pub fn canonical(&mut self, format: Format, bits: &[SatLiteral]) -> Word {
        let nan = self.is_nan(format, bits);
        let top = format.precision() as usize - 2;
        let one = |c: &mut Circuit, (k, l): (usize, &SatLiteral)| match k {
            _ if k == top => c.or(*l, nan),
            // The field of the exponent is full in any NaN.
            _ if k > top && k + 1 < bits.len() => *l,
            _ => c.and(*l, !nan),
        };
        bits.iter().enumerate().map(|pair| one(self, pair)).collect()
    }

    /// Whether bits are of a class.
    pub fn is_of(&mut self, format: Format, class: Class, bits: &[SatLiteral]) -> SatLiteral {
        let (fraction, rest) = bits.split_at(format.precision() as usize - 1);
        let field = &rest[..rest.len() - 1];
        let (none, full) = (self.is_zero(field), self.all(field));
        let empty = self.is_zero(fraction);
        match class {
            Class::Infinite => self.and(full, empty),
            Class::Normal => self.and(!none, !full),
            Class::Subnormal => self.and(none, !empty),
            Class::Zero => self.and(none, empty),
        }
    }

    /// A number that orders magnitudes: infinities above all, zeros below.
    pub fn order_key(&mut self, x: &Unpacked) -> Word {
        let mut key = x.significand.clone();
        key.extend(&x.exponent);
        if let Some(top) = key.last_mut() {
            *top = !*top;
        }
        let special = self.or(x.zero, x.infinite);
        let mut key = self.masked(&key, !special);
        key.push(!x.zero);
        key.push(x.infinite);
        key
    }

    /// Whether numbers relate as magnitudes and signs say: `x < y`, or `x <= y`; `nan`: one of them is none.
    pub fn is_ordered(
        &mut self,
        [a, b]: [(&[SatLiteral], SatLiteral); 2],
        nan: SatLiteral,
        [both_zero, or_equal]: [SatLiteral; 2],
    ) -> SatLiteral {
        let ((x, x_sign), (y, y_sign)) = (a, b);
        let less = self.is_less(x, y);
        let more = self.is_less(y, x);
        let above = self.choice(or_equal, !more, less);
        let below = self.choice(or_equal, !less, more);
        let alike = self.choice(x_sign, below, above);
        let same_sign = self.same(x_sign, y_sign);
        let ordered = self.choice(same_sign, alike, x_sign);
        let ordered = self.choice(both_zero, or_equal, ordered);
        self.and(ordered, !nan)
    }
}
