//! Formats and ranges, from the standard's and the language's definitions.

use magneto::floats::Format;
use magneto::num::mpfr::Rational;
use magneto::spec::Range;

/// (scale, bits) of a fixed-point format, from its name in FPCore.
pub(crate) fn fixed(format: Format) -> Option<(i32, u32)> {
    let name = format.name();
    if name == "integer" {
        return Some((0, 54));
    }
    let mut words = name.strip_prefix("(fixed ")?.strip_suffix(')')?.split(' ');
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// (precision, emin, emax) of a format, from the standard.
pub(super) fn parameters(format: Format) -> (i32, i32, i32) {
    match format {
        Format::BINARY64 => (53, -1022, 1023),
        Format::BINARY32 => (24, -126, 127),
        Format::BINARY16 => (11, -14, 15),
        Format::BFLOAT16 => (8, -126, 127),
        other => {
            let name = other.name();
            let mut words = name.trim_matches(['(', ')']).split(' ').skip(1).map(|word| word.parse::<i32>());
            let (Some(Ok(exponent)), Some(Ok(bits))) = (words.next(), words.next()) else {
                panic!("the judge does not know {other:?}");
            };
            let emax = (1 << (exponent - 1)) - 1;
            (bits - exponent, 1 - emax, emax)
        }
    }
}

pub(super) fn two_to(e: i32) -> Rational {
    if e >= 0 { Rational::from(1) << e as u32 } else { Rational::from(1) >> e.unsigned_abs() }
}

/// ulp of a magnitude: 2^(max(e, emin) - p + 1) where 2^e <= x < 2^(e+1).
pub(super) fn ulp(x: &Rational, format: Format) -> Rational {
    if let Some((scale, _)) = fixed(format) {
        return two_to(scale);
    }
    let (p, emin, _) = parameters(format);
    let mut e = emin;
    if *x != 0 {
        // Near enough by the lengths, then step by step.
        e = x.numer().significant_bits() as i32 - x.denom().significant_bits() as i32 - 2;
        while two_to(e + 1) <= *x {
            e += 1;
        }
        e = e.max(emin);
    }
    two_to(e - p + 1)
}

/// Whether a number is in a range, strict ends left out.
pub(crate) fn in_range(range: &Range, x: &Rational) -> bool {
    let above = match &range.lo {
        Some(b) if b.strict => *x > b.value,
        Some(b) => *x >= b.value,
        None => true,
    };
    let below = match &range.hi {
        Some(b) if b.strict => *x < b.value,
        Some(b) => *x <= b.value,
        None => true,
    };
    above && below
}

/// The step of a format just above the magnitude of a value.
fn quantum(x: f64, format: Format) -> f64 {
    let (p, emin, _) = parameters(format);
    let mut e = emin;
    while e < 1023 && 2f64.powi(e + 1) <= x.abs() {
        e += 1;
    }
    let s = e - p + 1;
    // 2^s may be subnormal, which powi reaches by way of an overflow.
    if s < -1022 { 2f64.powi(-1022) * 2f64.powi(s + 1022) } else { 2f64.powi(s) }
}

/// Whether x is a finite value of the format.
pub(crate) fn is_value(x: f64, format: Format) -> bool {
    if let Some((scale, bits)) = fixed(format) {
        let (k, end) = (x / 2f64.powi(scale), 2f64.powi(bits as i32 - 1));
        return k == k.trunc() && -end <= k && k < end;
    }
    let (p, _, emax) = parameters(format);
    let q = quantum(x, format);
    let largest = (2.0 - 2f64.powi(1 - p)) * 2f64.powi(emax);
    x.is_finite() && x.abs() <= largest && x % q == 0.0
}

/// The next larger or smaller value of the format.
pub(crate) fn neighbour(x: f64, up: bool, format: Format) -> Option<f64> {
    if let Some((scale, _)) = fixed(format) {
        let y = x + if up { 2f64.powi(scale) } else { -2f64.powi(scale) };
        return is_value(y, format).then_some(y);
    }
    let away = if up { x >= 0.0 } else { x <= 0.0 };
    let direction = if up { 1.0 } else { -1.0 };
    let q = quantum(x, format);
    // Toward zero from a power of two the step is half as long.
    let half = quantum(x.abs().next_down(), format);
    let y = if away || half == q { x + direction * q } else { x + direction * half };
    (is_value(y, format) && y != x).then_some(y)
}

/// The largest finite number.
pub(super) fn largest(format: Format) -> Rational {
    let (p, _, emax) = parameters(format);
    (Rational::from(2) - two_to(1 - p)) * two_to(emax)
}

/// The number nearest to `q` with as many digits and no bound of the exponent above, ties to even.
pub(super) fn rounded(q: &Rational, format: Format) -> Rational {
    let step = ulp(&q.clone().abs(), format);
    let scaled = Rational::from(q / &step);
    let low = Rational::from(scaled.floor_ref());
    let twice = Rational::from(&scaled - &low) * Rational::from(2);
    let up = twice > 1 || (twice == 1 && low.numer().is_odd());
    (if up { low + Rational::from(1) } else { low }) * step
}
