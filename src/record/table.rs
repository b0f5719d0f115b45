//! Tables as text (CSV, RFC 4180 with line feeds).
//!
//! A spreadsheet runs what begins with `=`, `+`, `-` or `@` as a formula. Texts of a specification that begin so have a
//! `'` before them, which makes a text of them there. Numbers stay as they are, since they are read back.

use crate::text::visible;
use std::borrow::Cow;

/// One row of a table that is written as it goes, its line end included.
#[must_use]
pub fn line<S: AsRef<[u8]>>(cells: impl IntoIterator<Item = S>) -> Vec<u8> {
    Table::new(cells).finish()
}

/// A table under construction. Writing into memory does not fail.
pub(crate) struct Table(csv::Writer<Vec<u8>>);

impl Table {
    pub(crate) fn new<S: AsRef<[u8]>>(header: impl IntoIterator<Item = S>) -> Self {
        // Where it is tested, a row with another number of cells than the header is found.
        let mut table = Table(csv::WriterBuilder::new().flexible(!cfg!(debug_assertions)).from_writer(Vec::new()));
        table.row(header);
        table
    }

    pub(crate) fn row<S: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let written = self.0.write_record(cells.into_iter().map(|cell| seen(&inert(cell.as_ref())).into_owned()));
        debug_assert!(written.is_ok());
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

/// A cell in which every character is seen.
fn seen(cell: &[u8]) -> Cow<'_, [u8]> {
    if cell.iter().all(|b| (b' '..=b'~').contains(b)) {
        return Cow::Borrowed(cell);
    }
    match std::str::from_utf8(cell).map(visible) {
        Ok(Cow::Owned(shown)) => Cow::Owned(shown.into_bytes()),
        _ => Cow::Borrowed(cell),
    }
}

/// A cell that no spreadsheet runs.
fn inert(cell: &[u8]) -> Cow<'_, [u8]> {
    let runs = matches!(cell, [b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r', _, ..]) && !is_number(cell);
    if runs { Cow::Owned([b"'", cell].concat()) } else { Cow::Borrowed(cell) }
}

/// Whether a cell is a number as this program writes them: decimal or hexadecimal, infinity or NaN.
fn is_number(cell: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(cell) else { return false };
    let magnitude = text.trim_start_matches(['+', '-']);
    let hexadecimal = |digits: &str| {
        let (digits, exponent) = digits.split_once('p').unwrap_or((digits, "0"));
        digits.chars().all(|c| c == '.' || c.is_ascii_hexdigit()) && exponent.parse::<i32>().is_ok()
    };
    text.parse::<f64>().is_ok() || magnitude.strip_prefix("0x").is_some_and(hexadecimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_is_seen() {
        let table = String::from_utf8(line(["a\u{202e}b\u{1b}[31m", "é\tc\nd", "\u{85}"])).unwrap();
        assert_eq!(table, "a<U+202E>b<U+001B>[31m,\"é\tc\nd\",<U+0085>\n");
    }

    #[test]
    fn no_text_is_a_formula() {
        for cell in ["=1+1", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3", "--1", "\t=1", "\r=1", "-0x1+A1", "-x"] {
            assert_eq!(inert(cell.as_bytes()), format!("'{cell}").as_bytes(), "{cell}");
        }
        for cell in ["", "-", "+", "=", "-1", "+1.5e-300", "-0x1.8p+3", "-0x0p+0", "-inf", "-nan", "(- 1 x)", "x=1"] {
            assert_eq!(inert(cell.as_bytes()), cell.as_bytes(), "{cell}");
        }
    }
}
