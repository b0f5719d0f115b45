//! Names of constants in the notations.

use super::Notation::{self, C, Julia, Matlab, Plain, Python, Sympy};
use crate::ops::Constant;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Named {
    Constant(Constant),
    /// A formula in FPCore.
    Formula(&'static str),
    /// No real number: why, and what to do.
    Refused(&'static str, &'static str),
}

const MODULES: &[&str] = &["math.", "np.", "numpy.", "scipy.constants.", "cmath."];
const SYMPY: &[&str] = &["", "sympy.", "sp.", "sym."];
const NO_NUMBER: Named = Named::Refused("is no number", "leave it out: a formula has no value where it is undefined");
const IMAGINARY: Named =
    Named::Refused("is the imaginary unit here, and formulas are over the real numbers", "rename the variable");

/// Constants by prefix and name. Those of C's `math.h` stand below.
const TABLE: &[(&[&str], &str, Named, &[Notation])] = &[
    (&[""], "pi", Named::Constant(Constant::Pi), &[Plain, C, Python, Matlab, Julia]),
    (SYMPY, "pi", Named::Constant(Constant::Pi), &[Sympy]),
    (SYMPY, "E", Named::Constant(Constant::E), &[Sympy]),
    (SYMPY, "oo", Named::Constant(Constant::Infinity), &[Sympy]),
    (SYMPY, "GoldenRatio", Named::Formula("(/ (+ 1 (sqrt 5)) 2)"), &[Sympy]),
    (SYMPY, "I", IMAGINARY, &[Sympy]),
    (SYMPY, "nan", NO_NUMBER, &[Sympy]),
    (SYMPY, "zoo", NO_NUMBER, &[Sympy]),
    (&["S."], "Half", Named::Formula("(/ 1 2)"), &[Sympy]),
    (&["S."], "One", Named::Formula("1"), &[Sympy]),
    (&["S."], "NegativeOne", Named::Formula("-1"), &[Sympy]),
    (&["S."], "Zero", Named::Formula("0"), &[Sympy]),
    (&["S."], "Pi", Named::Constant(Constant::Pi), &[Sympy]),
    (&["S."], "Exp1", Named::Constant(Constant::E), &[Sympy]),
    (&[""], "π", Named::Constant(Constant::Pi), &[Plain, C, Python, Matlab, Julia]),
    (&[""], "PI", Named::Constant(Constant::Pi), &[Plain, C]),
    (MODULES, "pi", Named::Constant(Constant::Pi), &[Plain, Python]),
    (MODULES, "e", Named::Constant(Constant::E), &[Plain, Python]),
    (MODULES, "tau", Named::Formula("(* 2 PI)"), &[Plain, Python]),
    (MODULES, "inf", Named::Constant(Constant::Infinity), &[Plain, Python]),
    (&["std::numbers::"], "pi", Named::Constant(Constant::Pi), &[Plain, C]),
    (&["std::numbers::"], "e", Named::Constant(Constant::E), &[Plain, C]),
    (&["std::numbers::"], "ln2", Named::Constant(Constant::Ln2), &[Plain, C]),
    (&["std::numbers::"], "ln10", Named::Constant(Constant::Ln10), &[Plain, C]),
    (&["std::numbers::"], "log2e", Named::Constant(Constant::Log2E), &[Plain, C]),
    (&["std::numbers::"], "log10e", Named::Constant(Constant::Log10E), &[Plain, C]),
    (&["std::numbers::"], "sqrt2", Named::Constant(Constant::Sqrt2), &[Plain, C]),
    (&["std::numbers::"], "inv_pi", Named::Constant(Constant::InvPi), &[Plain, C]),
    (&["std::numbers::"], "sqrt3", Named::Formula("(sqrt 3)"), &[Plain, C]),
    (&[""], "ℯ", Named::Constant(Constant::E), &[Julia]),
    (&["MathConstants.", "Base.MathConstants."], "e", Named::Constant(Constant::E), &[Julia]),
    (&[""], "inf", Named::Constant(Constant::Infinity), &[Plain, C, Python, Julia, Matlab]),
    (&[""], "Inf", Named::Constant(Constant::Infinity), &[Plain, Matlab, Julia]),
    (&[""], "INFINITY", Named::Constant(Constant::Infinity), &[Plain, C]),
    (&[""], "im", IMAGINARY, &[Julia]),
    (&[""], "i", IMAGINARY, &[Matlab]),
    (&[""], "j", IMAGINARY, &[Matlab]),
    (&[""], "eps", Named::Formula("0x1p-52"), &[Matlab]),
    (&[""], "DBL_EPSILON", Named::Formula("0x1p-52"), &[C]),
    (&[""], "NaN", NO_NUMBER, &[Matlab, Julia]),
    (&[""], "NAN", NO_NUMBER, &[C]),
];

/// `M_PI` and its kin.
const MATH_H: [(&str, Constant); 13] = [
    ("M_E", Constant::E),
    ("M_LOG2E", Constant::Log2E),
    ("M_LOG10E", Constant::Log10E),
    ("M_LN2", Constant::Ln2),
    ("M_LN10", Constant::Ln10),
    ("M_PI", Constant::Pi),
    ("M_PI_2", Constant::Pi2),
    ("M_PI_4", Constant::Pi4),
    ("M_1_PI", Constant::InvPi),
    ("M_2_PI", Constant::TwoInvPi),
    ("M_2_SQRTPI", Constant::TwoInvSqrtPi),
    ("M_SQRT2", Constant::Sqrt2),
    ("M_SQRT1_2", Constant::Sqrt1_2),
];

/// What a name stands for that is no input.
pub(super) fn named(prefix: &str, name: &str, notation: Notation) -> Option<Named> {
    if prefix.is_empty() && matches!(notation, Plain | C) {
        let found = MATH_H.iter().find(|(spelled, _)| *spelled == name);
        if let Some((_, constant)) = found {
            return Some(Named::Constant(*constant));
        }
    }
    let fits = |row: &&(&[&str], &str, Named, &[Notation])| {
        row.1 == name && row.0.contains(&prefix) && row.3.contains(&notation)
    };
    TABLE.iter().find(fits).map(|row| row.2)
}
