//! What code under test may call of the host: the mathematical functions of the host's own C library, so that results
//! are those of a native program bit for bit. The only file that declares functions of that library.
#![allow(unsafe_code)]

use super::ins::Type;
use super::module::FuncType;

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
