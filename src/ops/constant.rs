//! The named constants of FPCore.

use crate::num::MpInterval;
use crate::num::mpfr::{Float, MpConstant, Round};

macro_rules! constants {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// A named constant of FPCore, an exact real number or one of the special values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum Constant { $($variant),* }
        impl Constant {
            /// Every constant.
            pub const ALL: &'static [Constant] = &[$(Constant::$variant),*];
            /// Its name in FPCore 2.0.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Constant::$variant => $name),* }
            }
        }
    };
}
constants! {
    E = "E", Log2E = "LOG2E", Log10E = "LOG10E", Ln2 = "LN2", Ln10 = "LN10", Pi = "PI", Pi2 = "PI_2", Pi4 = "PI_4",
    InvPi = "M_1_PI", TwoInvPi = "M_2_PI", TwoInvSqrtPi = "M_2_SQRTPI", Sqrt2 = "SQRT2", Sqrt1_2 = "SQRT1_2",
    Infinity = "INFINITY", Nan = "NAN", True = "TRUE", False = "FALSE",
}

impl Constant {
    /// An enclosure with ends of `precision` bits; `None` for infinity, NaN and the truth values.
    #[must_use]
    pub fn enclose(self, precision: u32) -> Option<MpInterval> {
        // Constants that are decreasing in another one take its far end.
        let opposite = |r: Round| if r == Round::Down { Round::Up } else { Round::Down };
        let pi = |p: u32, r: Round| Float::with_val_round(p, MpConstant::Pi, r).0;
        let ln = |n: u32, p: u32, r: Round| {
            let mut x = Float::with_val(p.max(32), n);
            x.ln_round(r);
            Float::with_val_round(p, x, r).0
        };
        let sqrt = |x: Float, p: u32, r: Round| {
            let mut x = x;
            x.sqrt_round(r);
            Float::with_val_round(p, x, r).0
        };
        let over = |n: u32, x: Float, p: u32, r: Round| Float::with_val_round(p, n / &x, r).0;
        let wide = precision.max(32) + 16;
        let by = |f: &dyn Fn(u32, Round) -> Float| Some(MpInterval::round_both(precision, f));
        match self {
            Constant::E => by(&|p, r| {
                let mut x = Float::with_val(wide, 1);
                x.exp_round(r);
                Float::with_val_round(p, x, r).0
            }),
            Constant::Log2E => by(&|p, r| over(1, ln(2, wide, opposite(r)), p, r)),
            Constant::Log10E => by(&|p, r| over(1, ln(10, wide, opposite(r)), p, r)),
            Constant::Ln2 => by(&|p, r| ln(2, p, r)),
            Constant::Ln10 => by(&|p, r| ln(10, p, r)),
            Constant::Pi => by(&pi),
            Constant::Pi2 => by(&|p, r| pi(p, r) / 2),
            Constant::Pi4 => by(&|p, r| pi(p, r) / 4),
            Constant::InvPi => by(&|p, r| over(1, pi(wide, opposite(r)), p, r)),
            Constant::TwoInvPi => by(&|p, r| over(2, pi(wide, opposite(r)), p, r)),
            Constant::TwoInvSqrtPi => by(&|p, r| over(2, sqrt(pi(wide, opposite(r)), wide, opposite(r)), p, r)),
            Constant::Sqrt2 => by(&|p, r| sqrt(Float::with_val(wide, 2), p, r)),
            Constant::Sqrt1_2 => by(&|p, r| sqrt(Float::with_val(wide, 0.5), p, r)),
            Constant::Infinity | Constant::Nan | Constant::True | Constant::False => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_enclosed() {
        use std::f64::consts as c;
        let close = [
            (Constant::E, c::E),
            (Constant::Log2E, c::LOG2_E),
            (Constant::Log10E, c::LOG10_E),
            (Constant::Ln2, c::LN_2),
            (Constant::Ln10, c::LN_10),
            (Constant::Pi, c::PI),
            (Constant::Pi2, c::FRAC_PI_2),
            (Constant::Pi4, c::FRAC_PI_4),
            (Constant::InvPi, c::FRAC_1_PI),
            (Constant::TwoInvPi, c::FRAC_2_PI),
            (Constant::TwoInvSqrtPi, c::FRAC_2_SQRT_PI),
            (Constant::Sqrt2, c::SQRT_2),
            (Constant::Sqrt1_2, c::FRAC_1_SQRT_2),
        ];
        for (constant, value) in close {
            for precision in [2, 20, 53, 200] {
                let coarse = constant.enclose(precision).unwrap();
                let fine = constant.enclose(4 * precision + 64).unwrap();
                assert!(coarse.lo <= fine.lo && fine.lo < fine.hi && fine.hi <= coarse.hi, "{constant:?} {precision}");
                let width = Float::with_val(53, &coarse.hi - &coarse.lo).to_f64() / value;
                assert!(width <= 4.0 * 0.5_f64.powi(i32::try_from(precision).unwrap()), "{constant:?} {precision}");
            }
            let x = constant.enclose(53).unwrap();
            assert!(x.lo.to_f64() <= value.next_up() && value.next_down() <= x.hi.to_f64(), "{constant:?}");
        }
        assert!(Constant::Infinity.enclose(53).is_none() && Constant::True.enclose(53).is_none());
    }
}
