//! What code under test may call of the host: the mathematical functions of the host's own C library, so that results
//! are those of a native program bit for bit; and what these functions can do with numbers (overflow, have a pole, have no
//! value), as the C standard has it (C11, 7.12 and annex F.10). The only file that declares functions of that library.
#![allow(unsafe_code)]

use super::ins::{FuncType, Type};

/// One function of the library, behind a call of its own.
macro_rules! wrapped {
    ($name:ident ($($arg:ident: $ty:ident),*) $result:ident) => {{
        #[link(name = "m")]
        unsafe extern "C" {
            safe fn $name($($arg: rust!($ty)),*) -> rust!($result);
        }
        fn call($($arg: rust!($ty)),*) -> rust!($result) {
            $name($($arg),*)
        }
        call
    }};
}

/// The type in Rust.
macro_rules! rust {
    (F64) => {
        f64
    };
    (F32) => {
        f32
    };
    (I32) => {
        i32
    };
}

macro_rules! from_bits {
    (F64 $x:expr) => {
        f64::from_bits($x)
    };
    (F32 $x:expr) => {
        f32::from_bits($x as u32)
    };
    (I32 $x:expr) => {
        $x as i32
    };
}

macro_rules! to_bits {
    (F64 $x:expr) => {
        $x.to_bits()
    };
    (F32 $x:expr) => {
        u64::from($x.to_bits())
    };
    (I32 $x:expr) => {
        u64::from($x as u32)
    };
}

/// The functions by type: the enum of them, their table, and the call.
macro_rules! library {
    ($($kind:ident $signature:tt -> $result:ident: $($name:ident)*;)*) => {
        library!(@types $($kind $signature $result)*);

        /// The function of this name, as C99 has it.
        pub(super) fn math(name: &str) -> Option<Math> {
            match name {
                $($(stringify!($name) => Some(Math::$kind(wrapped!($name $signature $result))),)*)*
                _ => None,
            }
        }
    };
    (@types $($kind:ident ($($arg:ident: $ty:ident),*) $result:ident)*) => {
        /// A mathematical function of the host.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Math {
            $($kind(fn($(rust!($ty)),*) -> rust!($result)),)*
        }

        impl Math {
            /// Its type.
            pub(super) fn ty(self) -> FuncType {
                match self {
                    $(Math::$kind(_) => FuncType { params: vec![$(Type::$ty),*], results: vec![Type::$result] },)*
                }
            }

            /// Its value; the arguments are as many as its type says.
            pub(super) fn call(self, arguments: &[u64]) -> u64 {
                let mut next = arguments.iter().copied();
                let mut take = || next.next().unwrap_or(0);
                match self {
                    $(Math::$kind(f) => {
                        $(let $arg = from_bits!($ty take());)*
                        to_bits!($result f($($arg),*))
                    })*
                }
            }
        }
    };
}

library! {
    F1(x: F64) -> F64: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p
        cbrt sqrt fabs floor ceil trunc round rint nearbyint erf erfc tgamma lgamma j0 j1 y0 y1 logb exp10;
    F2(x: F64, y: F64) -> F64: pow atan2 hypot fmod remainder copysign fmin fmax fdim nextafter drem;
    F3(x: F64, y: F64, z: F64) -> F64: fma;
    Scaled(x: F64, n: I32) -> F64: ldexp scalbn;
    Exponent(x: F64) -> I32: ilogb;
    Bessel(n: I32, x: F64) -> F64: jn yn;
    S1(x: F32) -> F32: sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f expm1f logf
        log2f log10f log1pf cbrtf sqrtf fabsf floorf ceilf truncf roundf rintf nearbyintf erff erfcf tgammaf lgammaf
        logbf exp10f;
    S2(x: F32, y: F32) -> F32: powf atan2f hypotf fmodf remainderf copysignf fminf fmaxf fdimf nextafterf;
    S3(x: F32, y: F32, z: F32) -> F32: fmaf;
    ScaledSingle(x: F32, n: I32) -> F32: ldexpf scalbnf;
}

/// A call of a function of the host whose result is a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The import, by index.
    pub import: u32,
    /// The types of its arguments.
    pub(super) arguments: [Option<Type>; 3],
    /// Whether its result is binary64; else binary32.
    pub(super) is_double: bool,
    /// Whether finite arguments can lead beyond the largest number, other than at a pole.
    pub(super) overflows: bool,
    /// Where it is infinite in any case.
    pub(super) pole: Pole,
    /// Where it has no value.
    pub(super) without: Without,
}

/// The finite arguments for which a function is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pole {
    /// None.
    No,
    /// The first one is 0.
    Zero,
    /// The first one is 0 or a negative integer.
    Integers,
    /// Others; the function does not overflow elsewhere.
    Other,
}

/// The numbers for which a function gives a NaN, or some that hold all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Without {
    /// None.
    Nothing,
    /// The first argument is below this integer.
    Below(i8),
    /// The first argument is beyond -1 or 1.
    BeyondOne,
    /// The first argument is infinite.
    Infinite,
    /// The first argument is infinite, or the second one 0.
    Remainder,
    /// Some that are not told apart.
    Some,
}

impl Call {
    /// What is known of the import of this index, name and type; none where it is no mathematical function with a float as
    /// result.
    pub(super) fn of(import: u32, name: &str, ty: &FuncType) -> Option<Call> {
        use Pole::{Integers, No, Other, Zero};
        use Without::{Below, BeyondOne, Infinite, Nothing, Remainder, Some as Unknown};
        math(name).filter(|f| f.ty() == *ty)?;
        let name = match ty.results.first()? {
            Type::F64 => name,
            Type::F32 => name.strip_suffix('f')?,
            _ => return None,
        };
        let (overflows, pole, without) = match name {
            "exp" | "exp2" | "exp10" | "expm1" | "sinh" | "cosh" | "hypot" | "ldexp" | "scalbn" | "fdim" => {
                (true, No, Nothing)
            }
            "fma" => (true, No, Unknown),
            "log" | "log2" | "log10" => (false, Zero, Below(0)),
            "log1p" => (false, Other, Below(-1)),
            "logb" => (false, Zero, Nothing),
            "atanh" => (false, Other, BeyondOne),
            "pow" => (true, Zero, Below(0)),
            "tgamma" => (true, Integers, Below(0)),
            "lgamma" => (true, Integers, Nothing),
            "y0" => (false, Zero, Below(0)),
            "y1" => (true, Zero, Below(0)),
            "yn" => (true, Other, Unknown),
            "sqrt" => (false, No, Below(0)),
            "acosh" => (false, No, Below(1)),
            "asin" | "acos" => (false, No, BeyondOne),
            "sin" | "cos" | "tan" => (false, No, Infinite),
            "fmod" | "remainder" | "drem" => (false, No, Remainder),
            _ => (false, No, Nothing),
        };
        let arguments = [0, 1, 2].map(|i| ty.params.get(i).copied());
        Some(Call { import, arguments, is_double: ty.results == [Type::F64], overflows, pole, without })
    }
}

impl Pole {
    /// Whether it lies at these finite arguments, of which the first is given.
    pub(super) fn is_at(self, first: f64) -> bool {
        match self {
            Pole::No | Pole::Other => false,
            Pole::Zero => first == 0.0,
            Pole::Integers => first <= 0.0 && first.trunc() == first,
        }
    }
}
