//! Values of code under test, for people.

use crate::floats::BitsKind;
use crate::num::float::{decimal, hex};

/// A value in hexadecimal and in decimal; an integer in decimal both times.
#[must_use]
pub fn text(kind: BitsKind, bits: u64) -> (String, String) {
    match kind {
        BitsKind::F64 => (hex(f64::from_bits(bits)), decimal(f64::from_bits(bits))),
        BitsKind::F32 => {
            let x = f32::from_bits(bits as u32);
            (hex(x.into()), if x.is_finite() { format!("{x:?}") } else { decimal(x.into()) })
        }
        BitsKind::Bool | BitsKind::Int { .. } => (kind.rank(bits).to_string(), kind.rank(bits).to_string()),
    }
}
