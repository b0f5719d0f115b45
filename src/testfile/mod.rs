//! Test files that a user brings, and those that a run wrote.
//!
//! **CSV**: UTF-8, with or without a byte order mark; lines end with LF or CR LF; the delimiter is a comma; quotes as in
//! RFC 4180, and a quoted cell may hold line ends. The first row names the columns: one for each input, in any order,
//! and `test_id`, `lo`, `hi`, `expected`, `abs_tol`, `rel_tol` where they are there. Blank lines are skipped. One row is in memory at
//! a time.
//!
//! **Tables as other people have them**: other delimiters (also said by `sep=;`), decimal commas, Latin-1, UTF-16, lines before the
//! header, a line of units, names of columns in other case or with a unit, sheets of workbooks. What of this a [`Layout`] does not
//! say is understood where there is one way to do so, and told in a note; with [`Layout::strict`] it is refused.
//!
//! **Test code** (see `src/testfile/code/mod.rs`): tables of pytest, GoogleTest, Catch2 and Unity, and assertions, as far as they are plain literals;
//! JUnit results whose test cases have their values as properties or in their names.
//!
//! **JSON**: an array of objects with the same names, or an object with such an array under `tests`, as `tests.json`
//! has; the inputs may stand in an object `inputs` of the test. Numbers are JSON numbers or strings.
//!
//! What the numbers mean:
//! - An input is a finite number, decimal or hexadecimal (`0x1.8p+1`). A decimal that is no value of the input's format
//!   is rounded to the nearest one, ties to even, as a compiler does with a literal; how many were is said once. A
//!   hexadecimal number that is no value of the format is an error, as is a decimal beyond the format's range, or one
//!   other than 0 that rounds to 0. -0 keeps its sign, subnormal numbers are taken. NaN and infinities are no inputs of a
//!   specification: tests that have one (`cover` writes them) are left out, which is said once.
//! - `expected` is a number, rounded in the same way to the result's format, `inf` or `-inf`, or the response that is
//!   owed outside the domain: `reject`, `nan`, `saturate`, `any`.
//! - `lo` and `hi` are rounded inward, which leaves the same numbers of the format between them.
//! - `abs_tol` and `rel_tol` are the tolerances that a test has around `expected`, the larger of which counts.
//! - An empty cell of all but an input says nothing; an empty cell of an input is an error.
//!
//! Columns that are not known are ignored with a note; the decimals that Magneto writes beside hexadecimal numbers
//! (`x_dec`) are not read, and have no note.

mod code;
pub mod columns;
mod encoding;
mod fields;
mod header;
mod json;
mod layout;
mod number;
mod reader;
mod record;
mod rows;
mod sheet;
mod table;

pub use layout::{DecimalMark, Delimiter, Layout, pairs};
pub use number::Scale;
pub use reader::Reader;

use crate::floats::Format;
use crate::spec::OutOfRange;
use crate::unfit::Unfit;

/// One test of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRecord {
    /// Its `test_id`, or what else the file calls its name (see [`Reader`]); without one `#` and its number in the file, from 1.
    pub id: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// A value of its format for each input, in the order of the specification. Zeros keep their sign.
    pub input: Vec<f64>,
    /// The smallest result that the file takes for right, a value of the result's format.
    pub lo: Option<f64>,
    /// The largest.
    pub hi: Option<f64>,
    /// What the file says that a right program does.
    pub expected: Option<Expected>,
    /// The results that the test itself lets pass, where it says so: from `lo` to `hi`, of which one may
    /// be missing, or what its tolerance leaves around `expected`.
    pub passes: Option<(f64, f64)>,
}

/// The number that a person's text means as an input of a format: a decimal is rounded to the nearest value, which is
/// told; a hexadecimal number is meant exactly. -0 keeps its sign.
///
/// # Errors
/// What is wrong with it, and a hint.
pub fn input_number(text: &str, format: Format) -> Result<(f64, bool), Unfit> {
    number::number(text, format).map(|n| (n.value, n.rounded)).map_err(|w| Unfit { message: w.message, hint: w.hint })
}

/// What a test file expects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A result: a value of the result's format or an infinity.
    Value(f64),
    /// A response owed outside the domain.
    Response(OutOfRange),
}

/// What is wrong with a test file: a complete message with file, line, column and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem(pub String);
