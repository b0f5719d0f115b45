//! Values as SMT-LIB writes them.

use super::read::{Kind, Sexp};
use crate::floats::Rounding;
use crate::floats::ordinal::NAN;
use crate::num::Rational;
use crate::solve::float::Sort;

/// A value of a sort.
pub(super) fn value(sort: Sort, x: i64) -> String {
    match sort {
        Sort::Bool => (x == 1).to_string(),
        Sort::Mode => Rounding::ALL[x as usize].names()[1].to_owned(),
        Sort::Bits(width) => format!("#b{:0width$b}", x as u64, width = width as usize),
        Sort::Float(format) => {
            let (eb, sb) = (format.exponent_bits(), format.precision());
            if x == NAN {
                return format!("(_ NaN {eb} {sb})");
            }
            if format.is_infinite(x) {
                return format!("(_ {}oo {eb} {sb})", if x > 0 { '+' } else { '-' });
            }
            let bits = format!("{:0width$b}", format.to_bits(x), width = format.width() as usize);
            let (sign, rest) = bits.split_at(1);
            let (exponent, fraction) = rest.split_at(eb as usize);
            format!("(fp #b{sign} #b{exponent} #b{fraction})")
        }
    }
}

/// A number, as a decimal or a quotient of decimals; an integer as a numeral.
pub(super) fn number(x: &Rational, is_integer: bool) -> String {
    let point = if is_integer { "" } else { ".0" };
    let size = match (x.numer().clone().abs(), x.denom()) {
        (n, d) if *d == 1 => format!("{n}{point}"),
        (n, d) => format!("(/ {n}.0 {d}.0)"),
    };
    if *x < 0 { format!("(- {size})") } else { size }
}

/// A symbol, in bars where it needs them.
pub(super) fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if name.chars().all(simple) && !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

/// A term as it was written.
pub(super) fn written(sexp: &Sexp<'_>) -> String {
    match &sexp.kind {
        Kind::Atom(text) if text.starts_with(['#', ':']) || text.starts_with(|c: char| c.is_ascii_digit()) => {
            (*text).to_owned()
        }
        Kind::Atom(text) => symbol(text),
        Kind::Text(text) => (*text).to_owned(),
        Kind::List(items) => format!("({})", items.iter().map(written).collect::<Vec<_>>().join(" ")),
    }
}
