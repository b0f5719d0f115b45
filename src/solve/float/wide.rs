//! Floats of any format as rational numbers, and the arithmetic of these, rounded.

use super::project::RoundedFunction;
use super::relate::TermRelation;
use crate::floats::set::Class;
use crate::floats::{Format, Rounding};
use crate::num::{Integer, Rational};

/// A float as a rational number, or as none.
#[derive(Clone, Debug)]
pub(super) struct WideFloat {
    pub(super) nan: bool,
    pub(super) infinite: bool,
    pub(super) negative: bool,
    pub(super) size: Rational,
}

fn power(exponent: i64) -> Rational {
    let size = Integer::from(1) << exponent.unsigned_abs() as u32;
    if exponent >= 0 { Rational::from(size) } else { Rational::from((Integer::from(1), size)) }
}

/// The bits of infinity.
#[must_use]
pub fn infinity(format: Format) -> Integer {
    Integer::from((1u32 << format.exponent_bits()) - 1) << (format.precision() - 1)
}

impl WideFloat {
    pub(super) fn of(format: Format, bits: &Integer) -> Self {
        let p = format.precision();
        let magnitude = bits.clone().keep_bits(format.width() - 1);
        let negative = bits.get_bit(format.width() - 1);
        let infinity = infinity(format);
        let (nan, infinite) = (magnitude > infinity, magnitude == infinity);
        let field = Integer::from(&magnitude >> (p - 1)).to_i64().unwrap_or_default();
        let hidden = Integer::from(field > 0) << (p - 1);
        let mantissa = magnitude.keep_bits(p - 1) + hidden;
        let exponent = i64::from(format.emin()) + (field - 1).max(0) - i64::from(p - 1);
        let size = if nan || infinite { Rational::new() } else { Rational::from(mantissa) * power(exponent) };
        WideFloat { nan, infinite, negative: negative && !nan, size }
    }

    fn finite(value: &Rational, zero_is_negative: bool) -> Self {
        let negative = if *value == 0 { zero_is_negative } else { *value < 0 };
        WideFloat { nan: false, infinite: false, negative, size: value.clone().abs() }
    }

    pub(super) fn is_zero(&self) -> bool {
        !self.nan && !self.infinite && self.size == 0
    }

    fn value(&self) -> Rational {
        if self.negative { -self.size.clone() } else { self.size.clone() }
    }

    /// Its bits, if it is a value of the format.
    pub(super) fn bits(&self, format: Format) -> Integer {
        let sign = Integer::from(self.negative) << (format.width() - 1);
        if self.nan {
            return infinity(format) | Integer::from(1) << (format.precision() - 2);
        }
        if self.infinite {
            return infinity(format) | sign;
        }
        rounded(format, Rounding::Zero, self.negative, &self.value())
    }

    pub(super) fn relates(&self, relation: TermRelation, other: &WideFloat) -> bool {
        if self.nan || other.nan {
            return false;
        }
        let key = |x: &WideFloat| match (x.infinite, x.negative) {
            (true, true) => (-1, Rational::new()),
            (true, false) => (1, Rational::new()),
            _ => (0, x.value()),
        };
        let (a, b) = (key(self), key(other));
        match relation {
            TermRelation::Less => a < b,
            TermRelation::LessEqual => a <= b,
            TermRelation::Equal => a == b,
        }
    }

    pub(super) fn is_of(&self, format: Format, class: Class) -> bool {
        if self.nan || self.infinite || self.size == 0 {
            return match class {
                Class::Infinite => self.infinite,
                Class::Zero => self.is_zero(),
                _ => false,
            };
        }
        let normal = self.size >= power(format.emin().into());
        match class {
            Class::Normal => normal,
            Class::Subnormal => !normal,
            _ => false,
        }
    }

    /// The nearest integer as bits; 0 where it has more of them.
    pub(super) fn to_integer(&self, mode: Rounding, width: u32, signed: bool) -> Integer {
        if self.nan || self.infinite {
            return Integer::new();
        }
        let n = to_integer(mode, self.negative, &self.size);
        let n = if self.negative { -n } else { n };
        let whole = Integer::from(1) << width;
        let half = Integer::from(&whole >> 1);
        let (below, beyond) = if signed { (half.clone(), half) } else { (Integer::new(), whole) };
        if n < -below || n >= beyond {
            return Integer::new();
        }
        n.keep_bits(width)
    }
}

/// A magnitude as an integer.
fn to_integer(mode: Rounding, negative: bool, size: &Rational) -> Integer {
    let floor = size.numer().clone() / size.denom();
    let rest = size.clone() - &floor;
    let half = Rational::from((1, 2));
    let up = match mode {
        Rounding::NearestEven => rest > half || (rest == half && floor.is_odd()),
        Rounding::NearestAway => rest >= half,
        Rounding::Up => rest > 0 && !negative,
        Rounding::Down => rest > 0 && negative,
        Rounding::Zero => false,
    };
    floor + u32::from(up)
}

/// The bits of the float for a number; `negative`: the sign of a zero.
#[must_use]
pub fn rounded(format: Format, mode: Rounding, negative: bool, value: &Rational) -> Integer {
    let negative = if *value == 0 { negative } else { *value < 0 };
    let sign = Integer::from(negative) << (format.width() - 1);
    if *value == 0 {
        return sign;
    }
    let size = value.clone().abs();
    let mut exponent = i64::from(size.numer().significant_bits()) - i64::from(size.denom().significant_bits());
    if size < power(exponent) {
        exponent -= 1;
    }
    let binade = exponent.max(format.emin().into());
    let infinity = infinity(format);
    let magnitude = if exponent > i64::from(format.emax()) {
        infinity.clone()
    } else {
        let quantum = power(binade - i64::from(format.precision() - 1));
        let steps = Integer::from(binade - i64::from(format.emin())) << (format.precision() - 1);
        steps + to_integer(mode, negative, &(size / quantum))
    };
    let stays = match mode {
        Rounding::NearestEven | Rounding::NearestAway => false,
        Rounding::Up => negative,
        Rounding::Down => !negative,
        Rounding::Zero => true,
    };
    let magnitude = if magnitude >= infinity && stays { infinity - 1u32 } else { magnitude };
    magnitude | sign
}

pub(super) fn not_a_number() -> WideFloat {
    WideFloat { nan: true, infinite: false, negative: false, size: Rational::new() }
}

pub(super) fn rounded_function(function: RoundedFunction, format: Format, mode: Rounding, x: &[WideFloat]) -> Integer {
    let infinite = |negative| WideFloat { nan: false, infinite: true, negative, size: Rational::new() };
    if x.iter().any(|x| x.nan) {
        return not_a_number().bits(format);
    }
    let down = mode == Rounding::Down;
    let sum = |a: &WideFloat, b: &WideFloat| match (a.infinite, b.infinite) {
        (true, true) if a.negative != b.negative => not_a_number(),
        (true, _) => a.clone(),
        (_, true) => b.clone(),
        _ => {
            let zero = if a.negative == b.negative { a.negative } else { down };
            WideFloat::finite(&(a.value() + b.value()), zero)
        }
    };
    let product = |a: &WideFloat, b: &WideFloat| {
        let negative = a.negative != b.negative;
        match (a.infinite || b.infinite, a.is_zero() || b.is_zero()) {
            (true, true) => not_a_number(),
            (true, false) => infinite(negative),
            _ => WideFloat::finite(&(a.value() * b.value()), negative),
        }
    };
    let result = match function {
        RoundedFunction::Add => sum(&x[0], &x[1]),
        RoundedFunction::Mul => product(&x[0], &x[1]),
        RoundedFunction::Square => product(&x[0], &x[0]),
        RoundedFunction::Fma => {
            let product = product(&x[0], &x[1]);
            if product.nan { product } else { sum(&product, &x[2]) }
        }
        RoundedFunction::Div => {
            let negative = x[0].negative != x[1].negative;
            match (x[0].infinite, x[1].infinite, x[0].is_zero(), x[1].is_zero()) {
                (true, true, ..) | (.., true, true) => not_a_number(),
                (true, ..) | (.., true) => infinite(negative),
                (_, true, ..) => WideFloat::finite(&Rational::new(), negative),
                _ => WideFloat::finite(&(x[0].value() / x[1].value()), negative),
            }
        }
        RoundedFunction::Sqrt if x[0].is_zero() => x[0].clone(),
        RoundedFunction::Sqrt if x[0].negative => not_a_number(),
        RoundedFunction::Sqrt if x[0].infinite => x[0].clone(),
        RoundedFunction::Sqrt => return root(format, mode, &x[0].size),
        RoundedFunction::Integral if x[0].infinite => x[0].clone(),
        RoundedFunction::Integral => {
            let size = Rational::from(to_integer(mode, x[0].negative, &x[0].size));
            WideFloat { size, ..x[0].clone() }
        }
        RoundedFunction::Cast(_) => x[0].clone(),
    };
    if result.nan || result.infinite {
        return result.bits(format);
    }
    rounded(format, mode, result.negative, &result.value())
}

/// The square root of a positive number, rounded: an enclosure of twice the precision and a little more where it is not exact.
fn root(format: Format, mode: Rounding, size: &Rational) -> Integer {
    let digits = 4 * format.precision() + 8;
    let exponent = i64::from(size.numer().significant_bits()) - i64::from(size.denom().significant_bits());
    let scale = (i64::from(digits) - exponent) & !1;
    let scaled = size.clone() * power(scale);
    let floor = scaled.numer().clone() / scaled.denom();
    let root = floor.clone().sqrt();
    let exact = *scaled.denom() == 1 && Integer::from(&root * &root) == floor;
    let twice = (root << 1u32) + u32::from(!exact);
    rounded(format, mode, false, &(Rational::from(twice) * power(-scale / 2 - 1)))
}

pub(super) fn remainder(format: Format, x: &WideFloat, y: &WideFloat) -> Integer {
    if x.nan || y.nan || x.infinite || y.is_zero() {
        return not_a_number().bits(format);
    }
    if y.infinite || x.is_zero() {
        return x.bits(format);
    }
    let quotient = Rational::from(&x.size / &y.size);
    let n = to_integer(Rounding::NearestEven, false, &quotient);
    let rest = x.size.clone() - Rational::from(n) * &y.size;
    let rest = if x.negative { -rest } else { rest };
    rounded(format, Rounding::NearestEven, x.negative, &rest)
}
