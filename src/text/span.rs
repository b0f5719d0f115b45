//! Places in a text.

/// A range of bytes of the source text; `0..0` for what was not read from a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The same place where the text begins after so many bytes of another.
    #[must_use]
    pub fn after(self, bytes: usize) -> Self {
        Span { start: self.start + bytes, end: self.end + bytes }
    }
}
