//! Ids of mutants.

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
