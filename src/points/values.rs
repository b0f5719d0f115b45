//! Special values, where numerical code often does something else: all lists of them. A new one is an entry of each list that
//! is to have it.

use crate::floats::Format;
use crate::num::float::{decimal, power_of_two};
use std::f64::consts::FRAC_PI_2;

/// A value with what it is, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct SpecialValue {
    /// The value.
    pub value: f64,
    /// What it is: "the smallest normal binary32 number".
    pub what: String,
}

/// What a format makes special: a reviewer expects a test at each.
#[must_use]
pub fn of_format(format: Format) -> Vec<SpecialValue> {
    let least = power_of_two(format.least_exponent()).to_f64();
    let normal = power_of_two(format.emin()).to_f64();
    let name = format.name();
    let special = |value: f64, what: String| SpecialValue { value, what };
    if format.is_fixed() {
        let ends = [
            special(format.max(), format!("the largest {name} number")),
            special(format.min(), format!("the smallest {name} number")),
            special(-format.max(), format!("the smallest {name} number with a negative")),
        ];
        let ones = [1.0, -1.0].into_iter().filter(|x| format.holds(*x) && least != 1.0).map(|x| special(x, decimal(x)));
        let zero = [special(0.0, "0".to_owned())];
        let least = [1.0, -1.0].map(|sign| special(sign * least, format!("{} {name} unit", decimal(sign))));
        return zero.into_iter().chain(least).chain(ones).chain(ends).collect();
    }
    let mut list = vec![special(0.0, "0".to_owned()), special(-0.0, "-0".to_owned())];
    for (sign, word) in [(1.0, ""), (-1.0, "minus ")] {
        list.push(special(sign * least, format!("{word}the smallest subnormal {name} number")));
        list.push(special(sign * normal, format!("{word}the smallest normal {name} number")));
        list.push(special(sign, format!("{word}1")));
        list.push(special(sign * format.max(), format!("{word}the largest finite {name} number")));
    }
    list
}

/// Values at which functions have their zeros, poles and kinks.
pub const USUAL: [f64; 13] = [0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1e-8, -1e-8, 1e-3, -1e-3, 10.0, -10.0];

/// The [`USUAL`] values between `lo` and `hi`, after the ends and the binary64 numbers beside them.
pub fn in_range(lo: f64, hi: f64) -> impl Iterator<Item = f64> {
    let near_ends = [lo, lo.next_up(), hi.next_down(), hi];
    near_ends.into_iter().chain(USUAL).filter(move |x| lo <= *x && *x <= hi)
}

/// A value that all inputs have at once, each in its format and its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointValue {
    /// This number, or the nearest of the format.
    Number(f64),
    /// The low end of the range.
    Low,
    /// The high end of the range.
    High,
    /// The smallest positive number of the format.
    Least,
}

/// The values that all inputs have at once, with what every input is then, for people.
pub const JOINT: [(JointValue, &str); 7] = [
    (JointValue::Number(0.0), "is 0"),
    (JointValue::Low, "at the low end of its range"),
    (JointValue::High, "at the high end of its range"),
    (JointValue::Least, "is the smallest positive number of its format"),
    (JointValue::Number(1e-8), "is 1e-8"),
    (JointValue::Number(1.0), "is 1"),
    (JointValue::Number(-0.0), "is -0"),
];

/// The numbers that all inputs are tried at which can be: where inputs are equal, what differs by them cancels, and
/// exponentials of the largest ones nearly overflow.
pub const EQUAL: [f64; 7] = [0.0, 1.0, -1.0, 30.0, -30.0, 700.0, -700.0];

/// Numbers at which, with either sign, implementations go wrong more often than elsewhere: small integers, powers of two, and
/// multiples of pi/2. Of large multiples the nearest floats are all that matters.
pub fn of_searches() -> impl Iterator<Item = f64> {
    let integers = (0..=16).map(f64::from);
    let powers = (1..=20).map(|k| 2f64.powi(-k));
    let angles = (1..=128).map(|k| f64::from(k) * FRAC_PI_2);
    integers.chain(powers).chain(angles).chain((8..53).map(|k| (2f64.powi(k) + 1.0) * FRAC_PI_2))
}

/// Values of floats of both hardware formats that code is run with; the ends of a format are beside them.
pub const OF_CODE: [f64; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.5,
    -0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    1.5,
    -1.5,
    10.0,
    1e-3,
    100.0,
    1e6,
    -1e6,
    1e10,
    1e-10,
    1e20,
    1e-20,
    1e30,
    1e-30,
];

/// Beside [`OF_CODE`], values of binary64 alone.
pub const OF_CODE_64: [f64; 6] =
    [f64::MAX, f64::MIN, f64::MIN_POSITIVE, f64::from_bits(1), f64::from_bits((1 << 52) - 1), 1e300];

/// Beside [`OF_CODE`], values of binary32 alone.
pub const OF_CODE_32: [f32; 5] =
    [f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), f32::from_bits((1 << 23) - 1)];

/// Integers that code is run with, beside the ends of their type.
pub const INTEGERS: [i128; 22] =
    [0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 10, 16, 100, 127, 128, 255, 256, 1000, 1023, 1024, 32767, 65536];
