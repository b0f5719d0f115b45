//! Tables as text (CSV, RFC 4180 with line feeds).

/// One row of a table that is written as it goes, its line end included.
#[must_use]
pub fn line<S: AsRef<[u8]>>(cells: impl IntoIterator<Item = S>) -> Vec<u8> {
    Table::new(cells).finish()
}

/// A table under construction. Writing into memory does not fail.
pub(crate) struct Table(csv::Writer<Vec<u8>>);

impl Table {
    pub(crate) fn new<S: AsRef<[u8]>>(header: impl IntoIterator<Item = S>) -> Self {
        let mut table = Table(csv::WriterBuilder::new().flexible(true).from_writer(Vec::new()));
        table.row(header);
        table
    }

    pub(crate) fn row<S: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let written = self.0.write_record(cells);
        debug_assert!(written.is_ok());
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}
