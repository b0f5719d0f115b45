//! Workbooks (XLSX, XLS, XLSB, ODS): a sheet as a table of cells that are separated by tabs, a line a row. The only file that names
//! calamine.

use super::number::Wrong;
use calamine::{Data, Range, Reader as _, Sheets, open_workbook_auto};
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The most cells of a sheet that are read.
const MOST: usize = 20_000_000;

/// What names of workbooks end in.
pub(super) const EXTENSIONS: [&str; 6] = ["xlsx", "xlsm", "xls", "xlsb", "xlam", "ods"];

/// A workbook that is open.
pub(super) struct Workbook {
    sheets: Sheets<BufReader<File>>,
}

impl Workbook {
    pub(super) fn open(path: &Path) -> Result<Workbook, Wrong> {
        let why = |e: calamine::Error| {
            Wrong::new(format!("no workbook can be read from it: {e}")).hint("save it as XLSX, ODS or CSV")
        };
        open_workbook_auto(path).map(|sheets| Workbook { sheets }).map_err(why)
    }

    /// The names of its sheets.
    pub(super) fn names(&self) -> Vec<String> {
        self.sheets.sheet_names()
    }

    /// A sheet as lines of cells between tabs, so that line and row have the same number. A cell that holds an error, a date or a
    /// truth value gets a text that is no number.
    pub(super) fn text(&mut self, sheet: &str) -> Result<String, Wrong> {
        let range = self.sheets.worksheet_range(sheet);
        let range = range.map_err(|e| Wrong::new(format!("the sheet cannot be read: {e}")))?;
        let (height, width) = range.get_size();
        if height.saturating_mul(width) > MOST {
            return Err(Wrong::new(format!("a sheet of more than {MOST} cells")).hint("save the tests as CSV"));
        }
        Ok(lines(&range))
    }
}

fn lines(range: &Range<Data>) -> String {
    let (top, left) = range.start().unwrap_or_default();
    let mut out = "\n".repeat(top as usize);
    for row in range.rows() {
        out.push_str(&"\t".repeat(left as usize));
        for (k, data) in row.iter().enumerate() {
            if k > 0 {
                out.push('\t');
            }
            cell(&mut out, data);
        }
        out.push('\n');
    }
    out
}

fn cell(out: &mut String, data: &Data) {
    let _ = match data {
        Data::Empty => Ok(()),
        Data::Int(n) => write!(out, "{n}"),
        // The shortest decimal that is this number.
        Data::Float(x) => write!(out, "{x:?}"),
        Data::String(text) => {
            let plain = text.replace(['\n', '\r'], " ");
            if plain.contains(['\t', '"']) {
                write!(out, "\"{}\"", plain.replace('"', "\"\""))
            } else {
                write!(out, "{plain}")
            }
        }
        Data::Bool(b) => write!(out, "{}", if *b { "TRUE" } else { "FALSE" }),
        Data::DateTime(_) | Data::DateTimeIso(_) | Data::DurationIso(_) => write!(out, "a date or a time"),
        Data::Error(e) => write!(out, "{e}"),
        // What later versions of the crate know.
        #[allow(unreachable_patterns)]
        other => write!(out, "{other}"),
    };
}
