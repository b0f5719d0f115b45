//! The functions of the notations, and what each is over the real numbers.
//!
//! A function of FPCore has the same name and meaning in every notation, unless a row says otherwise.

use super::Notation::{self, C, Julia, Latex, Matlab, Plain, Python, Sympy};
use crate::ops::Op;
use crate::spec::core::Classify;

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Function {
    Op(Op),
    /// An operator of two operands on two or more.
    Fold(Op),
    /// A formula in FPCore over `x`, `y` and `z`, with how many of them it has.
    Formula(&'static str, usize),
    /// The argument itself.
    Same,
    /// A logarithm of one argument, or of two with the base in this place (0 or 1).
    Log(usize),
    /// `f(condition, x, y)`.
    Choice,
    Classify(Classify),
    /// No function over the real numbers, or one that notations read differently: why, and what to write.
    Refused(&'static str, &'static str),
}

/// A row: prefixes that it is about (`*` is any known one and none), the name, what it is, and the notations.
type Row = (&'static [&'static str], &'static str, Function, &'static [Notation]);

const ANY: &[&str] = &["*"];
const NUMPY: &[&str] = &["np.", "numpy.", "jnp."];
const MATH: &[&str] = &["math."];
const BARE: &[&str] = &[""];
const SPECIAL: &[&str] = &["", "math.", "scipy.special.", "special.", "sc."];
const TEXT: &[Notation] = &[Plain, C, Python, Matlab, Julia];
const TABLES: &[Notation] = &[Plain, Matlab, Julia, Sympy, Latex];

/// FPCore's functions that SymPy has not, or calls otherwise.
const NOT_OF_SYMPY: &[&str] = &[
    "exp2",
    "expm1",
    "pow",
    "log10",
    "log2",
    "log1p",
    "fabs",
    "fma",
    "cbrt",
    "hypot",
    "ceil",
    "trunc",
    "round",
    "nearbyint",
    "fmod",
    "remainder",
    "fmax",
    "fmin",
    "fdim",
    "copysign",
    "tgamma",
    "lgamma",
];

const HALVES: &str = "takes halves away from zero in C and MATLAB, and to even in Python and Julia";

/// What is not as in FPCore.
const TABLE: &[Row] = &[
    (&["std::"], "abs", Function::Op(Op::Fabs), &[Plain, C]),
    (BARE, "abs", Function::Refused("is for integers in C", "write `fabs(x)`, or `std::abs(x)` in C++"), &[C]),
    (ANY, "abs", Function::Op(Op::Fabs), &[Plain, Python, Matlab, Julia]),
    (NUMPY, "absolute", Function::Op(Op::Fabs), &[Plain, Python]),
    (ANY, "min", Function::Fold(Op::Fmin), &[Plain, C, Python, Matlab, Julia, Latex]),
    (ANY, "max", Function::Fold(Op::Fmax), &[Plain, C, Python, Matlab, Julia, Latex]),
    (NUMPY, "minimum", Function::Op(Op::Fmin), &[Plain, Python]),
    (NUMPY, "maximum", Function::Op(Op::Fmax), &[Plain, Python]),
    (ANY, "ln", Function::Log(1), &[Plain, Latex]),
    (NUMPY, "log", Function::Op(Op::Log), &[Plain, Python]),
    (ANY, "log", Function::Log(1), &[Python]),
    (ANY, "log", Function::Log(0), &[Julia]),
    (ANY, "ceiling", Function::Op(Op::Ceil), &[Plain]),
    (ANY, "fix", Function::Op(Op::Trunc), &[Matlab]),
    (NUMPY, "fix", Function::Op(Op::Trunc), &[Python]),
    (ANY, "rint", Function::Op(Op::Nearbyint), &[Plain, C, Python]),
    (ANY, "round", Function::Op(Op::Nearbyint), &[Python, Julia]),
    (NUMPY, "around", Function::Op(Op::Nearbyint), &[Python]),
    (ANY, "round", Function::Op(Op::Round), &[C, Matlab]),
    (ANY, "round", Function::Refused(HALVES, "say `--language`, or write `floor(x + 0.5)`"), &[Plain]),
    (BARE, "int", Function::Op(Op::Trunc), &[Python]),
    (ANY, "rem", Function::Op(Op::Fmod), &[Matlab, Julia]),
    (ANY, "mod", Function::Formula("(- x (* y (floor (/ x y))))", 2), &[Matlab, Julia]),
    (NUMPY, "mod", Function::Formula("(- x (* y (floor (/ x y))))", 2), &[Plain, Python]),
    (NUMPY, "remainder", Function::Formula("(- x (* y (floor (/ x y))))", 2), &[Plain, Python]),
    (
        BARE,
        "remainder",
        Function::Refused("is one function in `math` and another in NumPy", "write `math.remainder` or `np.remainder`"),
        &[Python],
    ),
    (
        ANY,
        "mod",
        Function::Refused(
            "takes the sign of x for some and of y for others",
            "write `fmod(x, y)`, or say `--language`",
        ),
        &[Plain],
    ),
    (ANY, "power", Function::Op(Op::Pow), &[Plain, Python, Matlab]),
    (ANY, "exp10", Function::Formula("(pow 10 x)", 1), &[Plain, C, Julia]),
    (
        ANY,
        "gamma",
        Function::Refused("is a logarithm in some libraries of C", "write `tgamma(x)` or `lgamma(x)`"),
        &[C],
    ),
    (SPECIAL, "gamma", Function::Op(Op::Tgamma), &[Plain, Python, Matlab, Julia]),
    (SPECIAL, "gammaln", Function::Op(Op::Lgamma), &[Plain, Python, Matlab]),
    (ANY, "loggamma", Function::Op(Op::Lgamma), &[Julia]),
    (ANY, "sec", Function::Formula("(/ 1 (cos x))", 1), TABLES),
    (ANY, "csc", Function::Formula("(/ 1 (sin x))", 1), TABLES),
    (ANY, "cot", Function::Formula("(/ (cos x) (sin x))", 1), TABLES),
    (ANY, "sech", Function::Formula("(/ 1 (cosh x))", 1), TABLES),
    (ANY, "csch", Function::Formula("(/ 1 (sinh x))", 1), TABLES),
    (ANY, "coth", Function::Formula("(/ (cosh x) (sinh x))", 1), TABLES),
    (ANY, "sind", Function::Formula("(sin (* x (/ PI 180)))", 1), &[Matlab, Julia]),
    (ANY, "cosd", Function::Formula("(cos (* x (/ PI 180)))", 1), &[Matlab, Julia]),
    (ANY, "tand", Function::Formula("(tan (* x (/ PI 180)))", 1), &[Matlab, Julia]),
    (ANY, "sinpi", Function::Formula("(sin (* PI x))", 1), &[Plain, C, Matlab, Julia]),
    (ANY, "cospi", Function::Formula("(cos (* PI x))", 1), &[Plain, C, Matlab, Julia]),
    (ANY, "deg2rad", Function::Formula("(* x (/ PI 180))", 1), &[Plain, Python, Matlab, Julia]),
    (ANY, "rad2deg", Function::Formula("(* x (/ 180 PI))", 1), &[Plain, Python, Matlab, Julia]),
    (ANY, "radians", Function::Formula("(* x (/ PI 180))", 1), &[Plain, Python]),
    (ANY, "degrees", Function::Formula("(* x (/ 180 PI))", 1), &[Plain, Python]),
    (ANY, "sign", Function::Formula("(if (> x 0) 1 (if (< x 0) -1 0))", 1), &[Plain, Python, Matlab, Julia]),
    (ANY, "Abs", Function::Op(Op::Fabs), &[Sympy]),
    (ANY, "Min", Function::Fold(Op::Fmin), &[Sympy]),
    (ANY, "Max", Function::Fold(Op::Fmax), &[Sympy]),
    (ANY, "log", Function::Log(1), &[Sympy]),
    (ANY, "ln", Function::Log(1), &[Sympy]),
    (ANY, "ceiling", Function::Op(Op::Ceil), &[Sympy]),
    (ANY, "gamma", Function::Op(Op::Tgamma), &[Sympy]),
    (ANY, "factorial", Function::Formula("(tgamma (+ x 1))", 1), &[Sympy]),
    (ANY, "Mod", Function::Formula("(- x (* y (floor (/ x y))))", 2), &[Sympy]),
    // Of a negative number SymPy takes a complex root.
    (ANY, "cbrt", Function::Formula("(pow x (/ 1 3))", 1), &[Sympy]),
    (ANY, "root", Function::Formula("(pow x (/ 1 y))", 2), &[Sympy]),
    (ANY, "sinc", Function::Formula("(if (== x 0) 1 (/ (sin x) x))", 1), &[Sympy]),
    (ANY, "Heaviside", Function::Formula("(if (> x 0) 1 (if (< x 0) 0 0.5))", 1), &[Sympy]),
    (ANY, "sign", Function::Formula("(if (> x 0) 1 (if (< x 0) -1 0))", 1), &[Sympy]),
    (BARE, "sgn", Function::Formula("(if (> x 0) 1 (if (< x 0) -1 0))", 1), &[Latex]),
    (BARE, "sign", Function::Formula("(if (> x 0) 1 (if (< x 0) -1 0))", 1), &[Latex]),
    (NUMPY, "square", Function::Formula("(* x x)", 1), &[Plain, Python]),
    (ANY, "abs2", Function::Formula("(* x x)", 1), &[Julia]),
    (NUMPY, "reciprocal", Function::Formula("(/ 1 x)", 1), &[Plain, Python]),
    (NUMPY, "heaviside", Function::Formula("(if (< x 0) 0 (if (== x 0) y 1))", 2), &[Python]),
    (NUMPY, "logaddexp", Function::Formula("(log (+ (exp x) (exp y)))", 2), &[Python]),
    (ANY, "clamp", Function::Formula("(fmin (fmax x y) z)", 3), &[Plain, C, Julia]),
    (NUMPY, "clip", Function::Formula("(fmin (fmax x y) z)", 3), &[Plain, Python]),
    (&["std::"], "lerp", Function::Formula("(+ x (* z (- y x)))", 3), &[Plain, C]),
    (ANY, "muladd", Function::Formula("(+ (* x y) z)", 3), &[Julia]),
    (NUMPY, "where", Function::Choice, &[Plain, Python]),
    (ANY, "ifelse", Function::Choice, &[Julia]),
    (ANY, "ITE", Function::Choice, &[Sympy]),
    (BARE, "float", Function::Same, &[Python]),
    (NUMPY, "float64", Function::Same, &[Plain, Python]),
    (BARE, "double", Function::Same, &[Matlab, C]),
    (BARE, "Float64", Function::Same, &[Julia]),
    (
        ANY,
        "nthroot",
        Function::Refused("is a root of negative numbers for odd n", "write `cbrt(x)` or `x^(1/n)`"),
        &[Plain, Matlab],
    ),
    (ANY, "sinc", Function::Refused("has a factor of pi for some and not for others", "write `sin(x) / x`"), TEXT),
    (ANY, "factorial", Function::Formula("(tgamma (+ x 1))", 1), &[Python, Matlab, Julia]),
];

/// Prefixes of functions that each notation knows.
const PREFIXES: [(&str, &[Notation]); 15] = [
    ("", &Notation::ALL),
    ("std::", &[Plain, C]),
    ("::", &[Plain, C]),
    ("math.", &[Plain, Python]),
    ("np.", &[Plain, Python]),
    ("numpy.", &[Plain, Python]),
    ("jnp.", &[Plain, Python]),
    ("scipy.special.", &[Plain, Python]),
    ("special.", &[Plain, Python]),
    ("sc.", &[Plain, Python]),
    ("sp.", &[Plain, Python, Sympy]),
    ("sympy.", &[Sympy]),
    ("sym.", &[Sympy]),
    ("Base.", &[Plain, Julia]),
    ("SpecialFunctions.", &[Plain, Julia]),
];

/// Whether functions of a notation have such a prefix.
pub(super) fn is_prefix(prefix: &str, notation: Notation) -> bool {
    PREFIXES.iter().any(|(p, of)| *p == prefix && of.contains(&notation))
}

/// What the function of that name is in a notation.
pub(super) fn function(prefix: &str, name: &str, notation: Notation) -> Option<Function> {
    let fits = |row: &&Row| {
        let has_prefix = row.0.contains(&prefix) || row.0 == ANY;
        // Names of NumPy and of `math` are imported as well.
        let imported = prefix.is_empty() && matches!(notation, Python) && !is_also_elsewhere(name);
        row.1 == name && row.3.contains(&notation) && (has_prefix || imported)
    };
    if let Some(row) = TABLE.iter().find(fits) {
        return Some(row.2);
    }
    if let Some(class) = Classify::ALL.into_iter().find(|c| c.name() == name) {
        return Some(Function::Classify(class));
    }
    let own =
        |name: &str| Op::ALL.iter().copied().find(|op| op.name() == name && name.starts_with(char::is_alphabetic));
    let op = own(name).or_else(|| {
        // As mathematicians and NumPy write it; and C's functions of other formats, which are one over the real numbers.
        let arc = name.strip_prefix("arc").filter(|_| matches!(notation, Plain | Python | Latex));
        let inverse = arc.and_then(|rest| own(&format!("a{rest}")));
        let narrow = || name.strip_suffix(['f', 'l']).filter(|_| notation == C).and_then(own);
        inverse.or_else(narrow)
    })?;
    let is_remainder = op == Op::Remainder && !matches!(notation, Plain | C) && !MATH.contains(&prefix);
    // Only C has these, or others have them with another meaning.
    let is_of_c = matches!(op, Op::Fdim | Op::Tgamma | Op::Nearbyint) && !matches!(notation, Plain | C | Latex);
    let is_unknown = notation == Sympy && NOT_OF_SYMPY.contains(&op.name());
    let is_left_out = is_unknown || is_remainder || is_of_c || op == Op::Fmod && matches!(notation, Matlab | Julia);
    (!is_left_out).then_some(Function::Op(op))
}

/// Whether a name of NumPy is one of Python itself or of `math` with another meaning.
fn is_also_elsewhere(name: &str) -> bool {
    ["log", "remainder", "abs", "round"].contains(&name)
}

/// The names of all functions of a notation, for suggestions.
pub(super) fn names(notation: Notation) -> Vec<&'static str> {
    let rows = TABLE.iter().filter(|row| row.3.contains(&notation)).map(|row| row.1);
    let own = Op::ALL.iter().map(|op| op.name()).filter(|name| function("", name, notation).is_some());
    let mut all: Vec<&str> = own.chain(rows).collect();
    all.dedup();
    all
}
