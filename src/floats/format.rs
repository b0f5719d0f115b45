//! Binary formats by their parameters.

/// A binary format: one of the kind of IEEE 754, or a fixed-point format.
///
/// Of IEEE 754's kind it has the precision p, and the exponents emin and emax of the smallest and the largest normal values. It has
/// subnormal values, signed zeros, infinities and NaN.
///
/// A fixed-point format of n bits with the scale s, FPCore's `(fixed s n)`, has the values k 2^s for integers k in two's
/// complement, from -2^(n-1) to 2^(n-1) - 1. Its parameters are p = n - 1 and emin = emax = s + n - 2: but for the least value,
/// its values are those of a format of IEEE 754's kind that has one binade of normal values. It has one zero, no infinity and
/// no NaN.
///
/// Formats are ordered by precision, then by range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Format {
    precision: u8,
    emin: i16,
    emax: i16,
}

/// The name of [`Format::INTEGER`] in FPCore.
const INTEGER: &str = "integer";

/// The floating-point formats that have a name in FPCore, by precision.
const NAMED: [(&str, Format); 4] = [
    ("bfloat16", Format::BFLOAT16),
    ("binary16", Format::BINARY16),
    ("binary32", Format::BINARY32),
    ("binary64", Format::BINARY64),
];

/// How a result that is no value of the format is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To the nearest value, ties to the even one (`RNE`).
    NearestEven,
    /// To the nearest value, ties away from zero (`RNA`).
    NearestAway,
    /// Up (`RTP`).
    Up,
    /// Down (`RTN`).
    Down,
    /// Toward zero (`RTZ`).
    Zero,
}

impl Rounding {
    /// Every direction.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

    /// Its name in SMT-LIB, short and long.
    #[must_use]
    pub fn names(self) -> [&'static str; 2] {
        match self {
            Rounding::NearestEven => ["RNE", "roundNearestTiesToEven"],
            Rounding::NearestAway => ["RNA", "roundNearestTiesToAway"],
            Rounding::Up => ["RTP", "roundTowardPositive"],
            Rounding::Down => ["RTN", "roundTowardNegative"],
            Rounding::Zero => ["RTZ", "roundTowardZero"],
        }
    }
}

impl Format {
    /// bfloat16: 8 bits of precision, the range of binary32.
    pub const BFLOAT16: Format = Format::interchange(8, 8);
    /// binary16: 11 bits of precision.
    pub const BINARY16: Format = Format::interchange(5, 11);
    /// binary32: 24 bits of precision.
    pub const BINARY32: Format = Format::interchange(8, 24);
    /// binary64: 53 bits of precision.
    pub const BINARY64: Format = Format::interchange(11, 53);
    /// FPCore's `integer`, of which those from -2^53 to 2^53 - 1 are taken: binary64 has all of them.
    pub const INTEGER: Format = Format { precision: 53, emin: 52, emax: 52 };
    /// Every floating-point format that has a name, by precision. Their values are binary64 values too.
    pub const ALL: [Format; NAMED.len()] = {
        let mut all = [Format::BINARY64; NAMED.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = NAMED[at].1;
            at += 1;
        }
        all
    };

    /// The format of an encoding with so many bits for the exponent, as IEEE 754-2019, section 3.4 has it.
    const fn interchange(exponent: u32, precision: u8) -> Self {
        let emax = ((1 << (exponent - 1)) - 1) as i16;
        Format { precision, emin: 1 - emax, emax }
    }

    /// The format by the widths of SMT-LIB: bits of the exponent, and of the significand with its hidden bit; at least 2 of each,
    /// at most 15 of the exponent, 60 of the significand, 64 in all. `None` for others.
    #[must_use]
    pub fn new(exponent: u32, precision: u32) -> Option<Self> {
        let fits = (2..=15).contains(&exponent) && (2..=60).contains(&precision) && exponent + precision <= 64;
        fits.then(|| Format::interchange(exponent, precision as u8))
    }

    /// The same for wider ones: at most 15 bits of the exponent, 250 of the significand. Of those that [`Format::new`] has not this is
    /// all there is here, without ordinals and arithmetic.
    #[must_use]
    pub fn wide(exponent: u32, precision: u32) -> Option<Self> {
        let fits = (2..=15).contains(&exponent) && (2..=250).contains(&precision);
        fits.then(|| Format::interchange(exponent, precision as u8))
    }

    /// Whether it has more bits than ordinals and arithmetic are for.
    #[must_use]
    pub fn is_wide(self) -> bool {
        self.precision > 60 || self.width() > 64
    }

    /// The format with a precision of 2 to 26 bits and with exponents of normal values from `emin` to `emax`, both between -400
    /// and 400: [`mod@super::fast`] computes in it.
    ///
    /// # Panics
    /// If it is larger.
    #[must_use]
    pub fn small(precision: u32, emin: i32, emax: i32) -> Self {
        let fits = (2..=26).contains(&precision) && -400 <= emin && emin < emax && emax <= 400;
        assert!(fits, "{precision} bits, exponents {emin} to {emax}");
        Format { precision: precision as u8, emin: emin as i16, emax: emax as i16 }
    }

    /// The fixed-point format `(fixed scale bits)`: values k 2^scale with k of so many bits, 2 to 54, in two's complement; the
    /// scale lies between -400 and 400. `None` for others.
    #[must_use]
    pub fn fixed(scale: i32, bits: u32) -> Option<Self> {
        let fits = (2..=54).contains(&bits) && (-400..=400).contains(&scale);
        fits.then(|| {
            let top = scale as i16 + bits as i16 - 2;
            Format { precision: bits as u8 - 1, emin: top, emax: top }
        })
    }

    /// Whether it is a fixed-point format.
    #[must_use]
    pub fn is_fixed(self) -> bool {
        self.emin == self.emax
    }

    /// Of a fixed-point format, the bits of the smallest integer type of C that has its integers: 8, 16, 32 or 64.
    #[must_use]
    pub fn integer_bits(self) -> Option<u32> {
        let bits = u32::from(self.precision) + 1;
        self.is_fixed().then(|| bits.next_power_of_two().max(8))
    }

    /// The names of the floating-point formats that have one in FPCore, the widest first.
    #[must_use]
    pub fn names() -> [&'static str; NAMED.len()] {
        std::array::from_fn(|k| NAMED[NAMED.len() - 1 - k].0)
    }

    /// The format that FPCore writes so: a name, `(fixed scale bits)`, or `(float e bits)` with e bits of the exponent. Of the last
    /// there are those that have a name, and those in which [`mod@super::fast`] computes: at most 8 bits of the exponent and 26 of the
    /// significand.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Format> {
        if let Some((_, format)) = NAMED.iter().find(|(n, _)| *n == name) {
            return Some(*format);
        }
        if name == INTEGER {
            return Some(Format::INTEGER);
        }
        let words: Vec<&str> = name.strip_prefix('(')?.strip_suffix(')')?.split_whitespace().collect();
        match words[..] {
            ["fixed", scale, bits] => Format::fixed(scale.parse().ok()?, bits.parse().ok()?),
            ["float", exponent, bits] => {
                let (exponent, bits): (u32, u32) = (exponent.parse().ok()?, bits.parse().ok()?);
                let format = Format::new(exponent, bits.checked_sub(exponent)?)?;
                (format.is_named() || format.precision <= 26 && exponent <= 8).then_some(format)
            }
            _ => None,
        }
    }

    /// How FPCore writes it; `float` for those that it cannot write.
    #[must_use]
    pub fn name(self) -> String {
        if let Some((name, _)) = NAMED.iter().find(|(_, format)| *format == self) {
            (*name).to_owned()
        } else if self == Format::INTEGER {
            INTEGER.to_owned()
        } else if self.is_fixed() {
            format!("(fixed {} {})", self.least_exponent(), self.precision + 1)
        } else if Format::new(self.exponent_bits(), self.precision()) == Some(self) {
            format!("(float {} {})", self.exponent_bits(), self.width())
        } else {
            "float".to_owned()
        }
    }

    /// Whether it is a floating-point format with a name in FPCore.
    #[must_use]
    pub fn is_named(self) -> bool {
        Format::ALL.contains(&self)
    }

    /// Bits of precision p, the leading one included.
    #[must_use]
    pub fn precision(self) -> u32 {
        self.precision.into()
    }

    /// The exponent of the smallest normal value.
    #[must_use]
    pub fn emin(self) -> i32 {
        self.emin.into()
    }

    /// The exponent of the largest finite values.
    #[must_use]
    pub fn emax(self) -> i32 {
        self.emax.into()
    }

    /// The exponent of the least significant bit of subnormal values: ulp(0) is 2 to it.
    #[must_use]
    pub fn least_exponent(self) -> i32 {
        self.ulp_exponent(self.emin())
    }

    /// The exponent of ulp(x): max(e, emin) - p + 1 where 2^e <= |x| < 2^(e+1), for an `x` with that exponent e; of a fixed-point
    /// format its scale.
    #[must_use]
    pub fn ulp_exponent(self, e: i32) -> i32 {
        let e = if self.is_fixed() { self.emin() } else { e.max(self.emin()) };
        e - self.precision() as i32 + 1
    }

    /// How many exponents there are, that of subnormal values included.
    pub(super) fn exponents(self) -> u32 {
        (self.emax() - self.emin()) as u32 + 2
    }

    /// Bits of the exponent in the encoding.
    #[must_use]
    pub fn exponent_bits(self) -> u32 {
        self.exponents().ilog2() + 1
    }

    /// All bits of the encoding.
    #[must_use]
    pub fn width(self) -> u32 {
        self.exponent_bits() + self.precision()
    }

    /// Whether it is binary64.
    #[must_use]
    pub fn is_binary64(self) -> bool {
        self == Format::BINARY64
    }

    /// Whether every value of `other` is a value of this format.
    #[must_use]
    pub fn includes(self, other: Format) -> bool {
        let has_ends = !other.is_fixed() || self.min() <= other.min();
        self.precision >= other.precision
            && self.emax >= other.emax
            && self.least_exponent() <= other.least_exponent()
            && has_ends
    }
}
