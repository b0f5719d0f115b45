//! Ids of mutants, and of what a specification asks for.

use crate::spec::Spec;

/// An id in the making: FNV-1a over texts (Fowler, Noll, Vo), a zero after each. Stable on every platform.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key(u64);

impl Key {
    /// Of a first text.
    pub(super) fn of(text: &str) -> Key {
        Key(0xcbf2_9ce4_8422_2325).and(text).end()
    }

    /// The text that is last goes on.
    pub(super) fn and(self, text: &str) -> Key {
        Key(text.bytes().fold(self.0, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
    }

    /// The text that is last ends.
    pub(super) fn end(self) -> Key {
        self.and("\0")
    }

    /// 48 bits as 12 hexadecimal digits.
    pub(super) fn text(self) -> String {
        format!("{:012x}", (self.0 ^ self.0 >> 48) & 0xffff_ffff_ffff)
    }
}

/// An id of what a specification asks for: inputs with formats and ranges, conditions, formula, accuracy, formats of results.
/// Names of the specification, comments and the layout of its text play no part.
#[must_use]
pub fn asked(spec: &Spec) -> String {
    let key = Key::of(&spec.core.body.to_string()).and(&spec.accuracy.to_string()).end();
    let key = key.and(&spec.result_format.name()).end();
    let inputs = spec.inputs.iter();
    let key = inputs.fold(key, |k, i| k.and(&format!("{} {} {}", i.name, i.format.name(), i.range)).end());
    spec.constraints.iter().fold(key, |k, c| k.and(&c.to_string()).end()).text()
}
