//! Values of code under test, for people.

use crate::floats::Kind;
use crate::num::float::{decimal, hex};

/// A value in hexadecimal and in decimal; an integer in decimal both times.
#[must_use]
pub fn text(kind: Kind, bits: u64) -> (String, String) {
    match kind {
        Kind::F64 => (hex(f64::from_bits(bits)), decimal(f64::from_bits(bits))),
        Kind::F32 => {
            let x = f32::from_bits(bits as u32);
            (hex(x.into()), if x.is_finite() { format!("{x:?}") } else { decimal(x.into()) })
        }
        Kind::Bool | Kind::Int { .. } => (kind.rank(bits).to_string(), kind.rank(bits).to_string()),
    }
}
