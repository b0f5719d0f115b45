//! What a person says of a test file's layout, and what was understood without being said.

use super::number::{Scale, Wrong};
use crate::text::{Span, quote};
use crate::unfit::Unfit;

/// What a person says of how a test file is to be read. By default nothing is said: what has to be understood is told in a
/// note ([`super::Reader::notes`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// For a field (an input, `test_id`, `lo`, `hi`, `expected`, `abs_tol`, `rel_tol`) the column that holds it: its name, or its
    /// place from 1. In code the place of the value in its row.
    pub map: Vec<(String, String)>,
    /// For a field what makes its number from the column's.
    pub scale: Vec<(String, Scale)>,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// The character between cells.
    pub delimiter: Option<Delimiter>,
    /// The decimal mark.
    pub decimal: Option<DecimalMark>,
    /// In test code, the function that assertions call.
    pub function: Option<String>,
    /// Refuse whatever would have to be understood without being said.
    pub strict: bool,
}

/// What separates cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`
    Bar,
    /// Any number of spaces and tabs.
    Space,
}

/// What separates the whole part of a decimal from its fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// `.`
    Point,
    /// `,`
    Comma,
}

impl Delimiter {
    /// All, in the order in which they are tried.
    pub const ALL: [Delimiter; 5] =
        [Delimiter::Comma, Delimiter::Semicolon, Delimiter::Tab, Delimiter::Bar, Delimiter::Space];

    /// As it is named by an option.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Delimiter::Comma => "comma",
            Delimiter::Semicolon => "semicolon",
            Delimiter::Tab => "tab",
            Delimiter::Bar => "bar",
            Delimiter::Space => "space",
        }
    }

    /// The one that a character is, or that a word names.
    #[must_use]
    pub fn read(text: &str) -> Option<Delimiter> {
        Delimiter::ALL.into_iter().find(|d| d.name() == text || text.as_bytes() == [d.byte()])
    }

    pub(super) fn byte(self) -> u8 {
        match self {
            Delimiter::Comma => b',',
            Delimiter::Semicolon => b';',
            Delimiter::Tab => b'\t',
            Delimiter::Bar => b'|',
            Delimiter::Space => b' ',
        }
    }
}

/// Pairs `NAME=VALUE` with commas between them.
///
/// # Errors
/// The first that is no such pair.
pub fn pairs(text: &str) -> Result<Vec<(String, String)>, Unfit> {
    let one = |pair: &str| {
        let (name, value) = pair.split_once('=').filter(|(n, v)| !n.trim().is_empty() && !v.trim().is_empty())?;
        Some((name.trim().to_owned(), value.trim().to_owned()))
    };
    text.split(',').map(|p| one(p).ok_or_else(|| format!("{} is not NAME=VALUE", quote(p)).into())).collect()
}

/// What was understood of a file without being said.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    pub(super) strict: bool,
    pub(super) notes: Vec<String>,
}

impl Guesses {
    /// Takes something for granted, which a note tells; refused where nothing may be. `say` is how to say it.
    pub(super) fn take(&mut self, span: Span, what: impl Into<String>, say: &str) -> Result<(), (Span, Wrong)> {
        let what = what.into();
        if self.strict {
            let wrong = Wrong::new(format!("--strict: {what}"));
            return Err((span, wrong.hint(say)));
        }
        if !self.notes.contains(&what) {
            self.notes.push(what);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales() {
        let read = |t: &str| Scale::read(t).map(|s| (s.factor.to_string(), s.offset.to_string()));
        let two = |a: &str, b: &str| Ok((a.to_owned(), b.to_owned()));
        assert_eq!(read("1000"), two("1000", "0"));
        assert_eq!(read("1e-3"), two("1/1000", "0"));
        assert_eq!(read("1+273.15"), two("1", "5463/20"));
        assert_eq!(read("5/9-160/9"), two("5/9", "-160/9"));
        for wrong in ["", "x", "-1", "0", "1+", "1/0"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
        assert_eq!(pairs("a=b, c=d=e"), Ok(vec![("a".into(), "b".into()), ("c".into(), "d=e".into())]));
        assert!(pairs("a").is_err() && pairs("a=").is_err());
    }
}
