//! What code under test may call of the host: the mathematical functions of the host's own C library, so that results
//! are those of a native program bit for bit; and what these functions can do with numbers (overflow, have a pole, have no
//! value), as the C standard has it (C11, 7.12 and annex F.10).
//!
//! Each function is looked up by name in that library alone. A function of that name may be in this program as well, as part
//! of what it is built of, and give other results.
#![allow(unsafe_code)]

mod complex;
pub(super) mod flags;
#[macro_use]
mod types;
#[cfg(test)]
mod tests;
pub(super) mod wide;

use super::ins::{FuncType, Type, Unary};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::collections::HashMap;
use std::convert::Infallible;
use std::ffi::c_void;
use std::sync::LazyLock;

/// Where the mathematical library is: of glibc, of musl and others, of macOS.
const FILES: [&str; 3] = ["libm.so.6", "libm.so", "/usr/lib/libSystem.B.dylib"];

/// The library, which stays loaded.
static LIBRARY: LazyLock<Option<Library>> = LazyLock::new(|| {
    // SAFETY: this is the C library that nearly every program runs with; loading it does nothing else.
    FILES.iter().find_map(|file| unsafe { Library::open(Some(*file), RTLD_NOW | RTLD_LOCAL) }.ok())
});

/// The functions by type: the enum of them, their table, and the call.
macro_rules! library {
    ($($kind:ident $signature:tt -> $result:ident: $($name:ident)*;)*) => {
        library!(@types $($kind $signature $result)*);

        /// All functions that the library has, by name.
        static TABLE: LazyLock<HashMap<&'static str, Math>> = LazyLock::new(|| {
            let mut table = HashMap::new();
            $($(
                let name = stringify!($name);
                // SAFETY: C has the function of this name with this type.
                if let Some(f) = unsafe { found(name) } {
                    table.insert(name, Math::$kind(f));
                }
            )*)*
            table
        });
    };
    (@types $($kind:ident ($($arg:ident: $ty:ident),*) $result:ident)*) => {
        /// A mathematical function of the host.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Math {
            $($kind(extern "C" fn($(rust!($ty)),*) -> rust!($result)),)*
        }

        impl Math {
            fn parameters(self) -> &'static [Parameter] {
                match self {
                    $(Math::$kind(_) => &[$(parameter!($ty)),*],)*
                }
            }

            fn result(self) -> Option<Type> {
                match self {
                    $(Math::$kind(_) => result_type!($result),)*
                }
            }

            /// Where it is.
            pub(super) fn address(self) -> *const c_void {
                match self {
                    $(Math::$kind(f) => f as *const c_void,)*
                }
            }

            /// Its value, where it returns one; the arguments are as many as its type says. What it stores is handed to
            /// `store`, with the address, the type and the bits.
            ///
            /// # Errors
            /// Those of `store`.
            #[allow(unused_mut)] // Only what is stored changes.
            pub(super) fn call<E>(
                self,
                arguments: &[u64],
                mut store: impl FnMut(u64, Type, u64) -> Result<(), E>,
            ) -> Result<Option<u64>, E> {
                let mut next = arguments.iter().copied();
                let mut take = || next.next().unwrap_or(0);
                let mut next_address = arguments.iter().copied();
                let mut address = || next_address.next().unwrap_or(0);
                Ok(match self {
                    $(Math::$kind(f) => {
                        $(let mut $arg = from_bits!($ty take());)*
                        let result = result!($result, f($(passed!($ty $arg)),*));
                        $(
                            let _at = address();
                            stored!($ty $arg _at, store);
                        )*
                        result
                    })*
                })
            }
        }
    };
}

library! {
    F1(x: F64) -> F64: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p
        cbrt sqrt fabs floor ceil trunc round roundeven rint nearbyint erf erfc tgamma lgamma j0 j1 y0 y1 logb exp10 significand;
    F2(x: F64, y: F64) -> F64: pow atan2 hypot fmod remainder copysign fmin fmax fdim nextafter drem;
    F3(x: F64, y: F64, z: F64) -> F64: fma;
    Scaled(x: F64, n: I32) -> F64: ldexp scalbn;
    ScaledFar(x: F64, n: I64) -> F64: scalbln;
    Exponent(x: F64) -> I32: ilogb;
    Integer(x: F64) -> I64: lrint lround llrint llround;
    Bessel(n: I32, x: F64) -> F64: jn yn;
    Parts(x: F64, whole: ToF64) -> F64: modf;
    Split(x: F64, n: ToI32) -> F64: frexp lgamma_r;
    Quotient(x: F64, y: F64, n: ToI32) -> F64: remquo;
    Both(x: F64, sine: ToF64, cosine: ToF64) -> None: sincos;
    S1(x: F32) -> F32: sinf cosf tanf asinf acosf atanf sinhf coshf tanhf asinhf acoshf atanhf expf exp2f expm1f logf
        log2f log10f log1pf cbrtf sqrtf fabsf floorf ceilf truncf roundf roundevenf rintf nearbyintf erff erfcf tgammaf
        lgammaf j0f j1f y0f y1f logbf exp10f significandf;
    S2(x: F32, y: F32) -> F32: powf atan2f hypotf fmodf remainderf copysignf fminf fmaxf fdimf nextafterf dremf;
    S3(x: F32, y: F32, z: F32) -> F32: fmaf;
    ScaledSingle(x: F32, n: I32) -> F32: ldexpf scalbnf;
    ScaledFarSingle(x: F32, n: I64) -> F32: scalblnf;
    ExponentSingle(x: F32) -> I32: ilogbf;
    IntegerSingle(x: F32) -> I64: lrintf lroundf llrintf llroundf;
    BesselSingle(n: I32, x: F32) -> F32: jnf ynf;
    PartsSingle(x: F32, whole: ToF32) -> F32: modff;
    SplitSingle(x: F32, n: ToI32) -> F32: frexpf lgammaf_r;
    QuotientSingle(x: F32, y: F32, n: ToI32) -> F32: remquof;
    BothSingle(x: F32, sine: ToF32, cosine: ToF32) -> None: sincosf;
    Complex(x: F64, y: F64, re: ToF64, im: ToF64) -> None: ;
    ComplexTwo(x: F64, y: F64, z: F64, t: F64, re: ToF64, im: ToF64) -> None: ;
    ComplexSingle(x: F32, y: F32, re: ToF32, im: ToF32) -> None: ;
    ComplexTwoSingle(x: F32, y: F32, z: F32, t: F32, re: ToF32, im: ToF32) -> None: ;
}

/// The library's function of a name.
///
/// # Safety
/// `F` is a pointer to a function of the type that this one has.
unsafe fn found<F: Copy>(name: &str) -> Option<F> {
    let library = LIBRARY.as_ref()?;
    // SAFETY: the caller says what type it has, and the library stays loaded.
    unsafe { library.get::<F>(name.as_bytes()) }.ok().map(|f| *f)
}

/// The function of this name, as C99 and glibc have it; none where the host's library lacks it.
pub(super) fn math(name: &str) -> Option<Math> {
    TABLE.get(name).copied().or_else(|| complex::math(name))
}

/// Sets the `errno` of this thread to 0, makes a call, and returns what the call set it to besides.
pub(super) fn with_errno<T>(call: impl FnOnce() -> T) -> (T, i32) {
    unsafe extern "C" {
        #[cfg_attr(target_os = "macos", link_name = "__error")]
        safe fn __errno_location() -> *mut i32;
    }
    let at = __errno_location();
    // SAFETY: the C library keeps one for each thread, at an address that is good as long as the thread lives.
    unsafe { *at = 0 };
    let result = call();
    // SAFETY: as above.
    (result, unsafe { *at })
}

/// Whether a call of the function of this name may set `errno`.
pub(super) fn sets_errno(name: &str) -> bool {
    let name = name.strip_suffix('f').filter(|n| math(n).is_some()).unwrap_or(name);
    !matches!(
        name,
        "fabs"
            | "floor"
            | "ceil"
            | "trunc"
            | "round"
            | "roundeven"
            | "rint"
            | "nearbyint"
            | "copysign"
            | "fmin"
            | "fmax"
            | "cbrt"
            | "modf"
            | "frexp"
    )
}

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    Value(Type),
    /// The address of a value of this type, which it stores.
    To(Type),
}

impl Math {
    /// Whether it has this type in the module, whose addresses have 32 bits or 64.
    pub(super) fn is_of(self, ty: &FuncType) -> bool {
        let fits = |(p, ty): (&Parameter, &Type)| match p {
            Parameter::Value(own) => own == ty,
            Parameter::To(_) => matches!(ty, Type::I32 | Type::I64),
        };
        self.parameters().len() == ty.params.len()
            && self.parameters().iter().zip(&ty.params).all(fits)
            && ty.results.iter().copied().eq(self.result())
    }

    /// The parameters that are addresses, by index, each with the type of what is stored there.
    pub(super) fn stores(self) -> impl Iterator<Item = (usize, Type)> {
        self.parameters().iter().enumerate().filter_map(|(i, p)| match p {
            Parameter::Value(_) => None,
            Parameter::To(ty) => Some((i, *ty)),
        })
    }

    /// The value of a function that stores nothing.
    pub(super) fn value(self, arguments: &[u64]) -> u64 {
        let Ok(result) = self.call(arguments, |_, _, _| Ok::<(), Infallible>(()));
        result.unwrap_or(0)
    }
}

/// The operator that does what the function of this name does.
pub(super) fn operator(name: &str) -> Option<Unary> {
    Some(match name {
        "fabs" => Unary::F64Abs,
        "sqrt" => Unary::F64Sqrt,
        "floor" => Unary::F64Floor,
        "ceil" => Unary::F64Ceil,
        "trunc" => Unary::F64Trunc,
        "rint" | "nearbyint" | "roundeven" => Unary::F64Nearest,
        "fabsf" => Unary::F32Abs,
        "sqrtf" => Unary::F32Sqrt,
        "floorf" => Unary::F32Floor,
        "ceilf" => Unary::F32Ceil,
        "truncf" => Unary::F32Trunc,
        "rintf" | "nearbyintf" | "roundevenf" => Unary::F32Nearest,
        _ => return None,
    })
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
        math(name).filter(|f| f.is_of(ty) && f.stores().next().is_none())?;
        let name = match ty.results.first()? {
            Type::F64 => name,
            Type::F32 => name.strip_suffix('f')?,
            _ => return None,
        };
        let (overflows, pole, without) = match name {
            "exp" | "exp2" | "exp10" | "expm1" | "sinh" | "cosh" | "hypot" | "ldexp" | "scalbn" | "scalbln"
            | "fdim" => (true, No, Nothing),
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
