//! What the mathematical functions of the host can do with numbers (overflow, have a pole, have no value), as the C standard
//! has it (C11, 7.12 and annex F.10).

use super::host::math;
use super::ins::{FuncType, Type, Unary};

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
