//! The operators of all notations: one table says what each means, how tightly it binds, and where.

use super::Notation::{self, C, Julia, Latex, Matlab, Plain, Python, Sympy};
use crate::spec::core::Compare;

/// What an infix operator stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Infix {
    Add,
    Sub,
    Mul,
    Div,
    Power,
    /// The quotient rounded down.
    Floored,
    /// The quotient without its fraction.
    Truncated,
    /// What is left of a quotient that is rounded down.
    Modulo,
    /// What is left of a quotient without its fraction.
    Rest,
    Compare(Compare),
    And,
    Or,
    /// Nothing over the real numbers: what is wrong, and what to write.
    Refused(&'static str, &'static str),
}

/// How tightly an operator binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Anything.
    Whole,
    Or,
    And,
    /// MATLAB's `|`.
    EachOr,
    /// MATLAB's `&`.
    EachAnd,
    Not,
    Compare,
    /// Python's `|` and `&`.
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    /// Julia's `//`.
    Ratio,
    Unary,
    Power,
}

/// An infix operator in some notations.
pub(super) struct Row {
    pub(super) sign: &'static str,
    pub(super) means: Infix,
    pub(super) level: Level,
    of: &'static [Notation],
}

const CODE: &[Notation] = &[Plain, C, Python, Sympy, Matlab, Julia];
const DOTS: &[Notation] = &[Plain, Matlab, Julia];

const fn row(sign: &'static str, means: Infix, level: Level, of: &'static [Notation]) -> Row {
    Row { sign, means, level, of }
}

const NO_BITS: &str = "works on bits, and not on real numbers";
const FLOOR_OR_NOT: &str = "means one thing in Python and another in C and Julia";

/// All infix operators.
pub(super) const INFIX: &[Row] = &[
    row("+", Infix::Add, Level::Sum, CODE),
    row("-", Infix::Sub, Level::Sum, CODE),
    row("\u{2212}", Infix::Sub, Level::Sum, CODE),
    row("*", Infix::Mul, Level::Product, CODE),
    row("/", Infix::Div, Level::Product, CODE),
    row(".+", Infix::Add, Level::Sum, &[Julia]),
    row(".-", Infix::Sub, Level::Sum, &[Julia]),
    row(".*", Infix::Mul, Level::Product, DOTS),
    row("./", Infix::Div, Level::Product, DOTS),
    row(".^", Infix::Power, Level::Power, DOTS),
    row("^", Infix::Power, Level::Power, DOTS),
    row("**", Infix::Power, Level::Power, &[Plain, Python, Sympy, Matlab]),
    row("·", Infix::Mul, Level::Product, &[Plain, Julia]),
    row("⋅", Infix::Mul, Level::Product, &[Plain, Julia]),
    row("×", Infix::Mul, Level::Product, &[Plain]),
    row("÷", Infix::Truncated, Level::Product, &[Julia]),
    row("//", Infix::Floored, Level::Product, &[Python, Sympy]),
    row("//", Infix::Div, Level::Ratio, &[Julia]),
    row("%", Infix::Modulo, Level::Product, &[Python, Sympy]),
    row("%", Infix::Rest, Level::Product, &[Julia]),
    row("<", Infix::Compare(Compare::Lt), Level::Compare, CODE),
    row("<=", Infix::Compare(Compare::Le), Level::Compare, CODE),
    row(">", Infix::Compare(Compare::Gt), Level::Compare, CODE),
    row(">=", Infix::Compare(Compare::Ge), Level::Compare, CODE),
    row("==", Infix::Compare(Compare::Eq), Level::Compare, CODE),
    row("!=", Infix::Compare(Compare::Ne), Level::Compare, CODE),
    row("~=", Infix::Compare(Compare::Ne), Level::Compare, &[Matlab]),
    row("≤", Infix::Compare(Compare::Le), Level::Compare, &[Plain, Julia]),
    row("≥", Infix::Compare(Compare::Ge), Level::Compare, &[Plain, Julia]),
    row("≠", Infix::Compare(Compare::Ne), Level::Compare, &[Plain, Julia]),
    row("&&", Infix::And, Level::And, &[Plain, C, Matlab, Julia]),
    row("||", Infix::Or, Level::Or, &[Plain, C, Matlab, Julia]),
    row("and", Infix::And, Level::And, &[Plain, Python, Sympy]),
    row("or", Infix::Or, Level::Or, &[Plain, Python, Sympy]),
    row("&", Infix::And, Level::EachAnd, &[Matlab]),
    row("|", Infix::Or, Level::EachOr, &[Matlab]),
    row("&", Infix::And, Level::BitAnd, &[Python, Sympy]),
    row("|", Infix::Or, Level::BitOr, &[Python, Sympy]),
    row("^", Infix::Refused("is exclusive or in C, and no power", "write `pow(x, y)`"), Level::BitXor, &[C]),
    row("**", Infix::Refused("is no operator of C", "write `pow(x, y)`"), Level::Power, &[C]),
    row("%", Infix::Refused("is for integers in C", "write `fmod(x, y)`"), Level::Product, &[C]),
    row("//", Infix::Refused("begins a comment in C", "write `/`"), Level::Product, &[C]),
    row("++", Infix::Refused("changes a variable", "write `+ 1`"), Level::Unary, &[C]),
    row("--", Infix::Refused("changes a variable", "write `- 1`, or `- -x` with a space"), Level::Unary, &[C]),
    row(
        "^",
        Infix::Refused("is exclusive or in Python, and no power", "write `x**y`"),
        Level::BitXor,
        &[Python, Sympy],
    ),
    row("**", Infix::Refused("is no operator of Julia", "write `x^y`"), Level::Power, &[Julia]),
    row(
        "%",
        Infix::Refused("begins a comment in MATLAB", "write `mod(x, y)` or `rem(x, y)`"),
        Level::Product,
        &[Matlab],
    ),
    row("//", Infix::Refused("is no operator of MATLAB", "write `/`, or `floor(x / y)`"), Level::Product, &[Matlab]),
    row("%", Infix::Refused(FLOOR_OR_NOT, "write `fmod(x, y)`, or say `--language`"), Level::Product, &[Plain]),
    row(
        "//",
        Infix::Refused(FLOOR_OR_NOT, "write `/` or `floor(x / y)`, or say `--language`"),
        Level::Product,
        &[Plain],
    ),
    row("÷", Infix::Refused("is no operator here", "write `/`"), Level::Product, &[Plain, C, Python, Sympy, Matlab]),
    row("&", Infix::Refused(NO_BITS, "write `&&` for and"), Level::BitAnd, &[Plain, C, Julia]),
    row(
        "|",
        Infix::Refused(NO_BITS, "write `||` for or, `abs(x)` for an absolute value"),
        Level::BitOr,
        &[Plain, Julia],
    ),
    row("|", Infix::Refused(NO_BITS, "write `||` for or, `fabs(x)` for an absolute value"), Level::BitOr, &[C]),
    row("&&", Infix::Refused("is no operator of Python", "write `and`"), Level::And, &[Python, Sympy]),
    row("||", Infix::Refused("is no operator of Python", "write `or`"), Level::Or, &[Python, Sympy]),
    row("<<", Infix::Refused(NO_BITS, "write `x * pow(2, y)`"), Level::Shift, &[Plain, C, Python, Sympy, Julia]),
    row(">>", Infix::Refused(NO_BITS, "write `x / pow(2, y)`"), Level::Shift, &[Plain, C, Python, Sympy, Julia]),
    row(
        "@",
        Infix::Refused("multiplies matrices, and formulas are over numbers", "write `*`"),
        Level::Product,
        &[Python, Sympy],
    ),
    row(
        "!",
        Infix::Refused("is no operator behind a number", "write `tgamma(n + 1)` for a factorial"),
        Level::Power,
        CODE,
    ),
    row(
        "'",
        Infix::Refused("transposes a matrix, and formulas are over numbers", "leave it out"),
        Level::Power,
        &[Matlab, Julia],
    ),
];

/// What stands before its operand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Prefix {
    Plus,
    Minus,
    Not,
    Root,
}

/// Prefix operators with the level that their operand has.
const PREFIX: &[(&str, Prefix, Level, &[Notation])] = &[
    ("+", Prefix::Plus, Level::Unary, CODE),
    ("-", Prefix::Minus, Level::Unary, CODE),
    ("\u{2212}", Prefix::Minus, Level::Unary, CODE),
    ("!", Prefix::Not, Level::Unary, &[Plain, C, Julia, Matlab]),
    ("~", Prefix::Not, Level::Unary, &[Matlab, Sympy]),
    ("not", Prefix::Not, Level::Not, &[Plain, Python, Sympy]),
    ("√", Prefix::Root, Level::Power, &[Julia]),
];

/// The infix operator of that spelling.
pub(super) fn infix(sign: &str, notation: Notation) -> Option<&'static Row> {
    INFIX.iter().find(|row| row.sign == sign && row.of.contains(&notation))
}

/// The prefix operator of that spelling, with the level of its operand.
pub(super) fn prefix(sign: &str, notation: Notation) -> Option<(Prefix, Level)> {
    PREFIX.iter().find(|row| row.0 == sign && row.3.contains(&notation)).map(|row| (row.1, row.2))
}

/// The spellings of a notation's operators that are no words.
pub(super) fn signs(notation: Notation) -> impl Iterator<Item = &'static str> {
    let infix = INFIX.iter().filter(move |row| row.of.contains(&notation)).map(|row| row.sign);
    let prefix = PREFIX.iter().filter(move |row| row.3.contains(&notation)).map(|row| row.0);
    infix.chain(prefix).chain(["?"]).filter(|sign| !sign.starts_with(char::is_alphabetic))
}

/// Which power comes first of two that stand beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Powers {
    /// `a^b^c` is `(a^b)^c`.
    Left,
    /// `a^b^c` is `a^(b^c)`.
    Right,
    /// Notations differ.
    Refused,
}

/// How a notation reads `a^b^c`.
pub(super) fn powers(notation: Notation) -> Powers {
    match notation {
        Matlab => Powers::Left,
        Plain => Powers::Refused,
        C | Python | Julia | Latex | Sympy => Powers::Right,
    }
}

/// Whether `a < b < c` means that both hold.
pub(super) fn chains(notation: Notation) -> bool {
    matches!(notation, Python | Julia | Sympy)
}
