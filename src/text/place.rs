//! Lines and columns of places in a text.

/// Line and column of a byte of the source, both from 1; the column counts characters.
#[must_use]
pub fn line_column(source: &[u8], offset: usize) -> (usize, usize) {
    let before = &source[..offset.min(source.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let before = before[line_start..].strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&before[line_start..]);
    (line, String::from_utf8_lossy(before).chars().count() + 1)
}

/// Lines and columns of many places of one source: [`line_column`], without reading it for each.
pub struct Lines<'a> {
    source: &'a [u8],
    /// Where lines begin.
    starts: Vec<usize>,
    /// The bytes that continue a character; none where the source is no UTF-8.
    inside: Option<Vec<usize>>,
}

impl<'a> Lines<'a> {
    /// Of a source.
    #[must_use]
    pub fn new(source: &'a [u8]) -> Self {
        let ends = source.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(k, _)| k + 1);
        let inside = || source.iter().enumerate().filter(|(_, b)| **b & 0xC0 == 0x80).map(|(k, _)| k).collect();
        let inside = std::str::from_utf8(source).is_ok().then(inside);
        Lines { source, starts: std::iter::once(0).chain(ends).collect(), inside }
    }

    /// Line and column of a byte, both from 1; the column counts characters.
    #[must_use]
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let Some(inside) = &self.inside else { return line_column(self.source, offset) };
        let offset = offset.min(self.source.len());
        let line = self.starts.partition_point(|s| *s <= offset);
        let start = self.starts[line - 1];
        let before = |end: usize| inside.partition_point(|k| *k < end);
        let mark = usize::from(self.source[start..offset].starts_with("\u{FEFF}".as_bytes()));
        (line, offset - start - (before(offset) - before(start)) - mark + 1)
    }
}
