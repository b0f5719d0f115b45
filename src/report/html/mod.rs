//! One HTML file that shows a run: offline, readable without JavaScript, printable.
//!
//! It is made from the files of a run alone, so that it can be made anew from them later. Charts are SVG and formulas
//! MathML, written here; a small script sorts and filters tables where scripts are allowed, and nothing depends on it.

mod bands;
mod cards;
mod charts;
mod checked;
pub mod code;
mod data;
mod evaluated;
mod mathml;
mod page;
mod policy;
pub mod record;
mod runs;
mod scatter;
mod searched;
mod source;
mod survivors;
mod tables;
mod words;

use crate::record::ReadError;
use crate::record::store::FileKind;
use crate::spec::diagnostic::number_of;
use maud::Markup;
use std::path::Path;

/// The name of the report in a run's folder.
pub const NAME: &str = "report.html";

/// By what a page of ours is known.
pub const KIND: FileKind =
    FileKind { name: "a page", start: "<!DOCTYPE html>", inside: "<meta name=\"generator\" content=\"magneto " };

/// The picture that `worst` writes.
const PICTURE: &str = "worst.svg";
/// What `eval` writes.
const EVALUATION: &str = "eval.json";

/// The reports of a run's folder: for each specification the folder in it, which is empty if there is but one, and the
/// page. Of a folder that is no run, of an evaluation of somebody's tests, of a search for the worst input or of branches of code, it
/// is the page of that.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn pages(dir: &Path) -> Result<Vec<(String, String)>, ReadError> {
    let evaluation = dir.join(EVALUATION);
    if evaluation.exists() && !dir.join("summary.json").exists() {
        let evaluation = crate::record::read::document(&evaluation)?;
        return Ok(vec![(String::new(), shown(evaluated::page(&evaluation)))]);
    }
    if let Some(found) = crate::record::read::worst(dir)? {
        let picture = std::fs::read(dir.join(PICTURE)).ok();
        return Ok(vec![(String::new(), shown(searched::page(&found, picture.as_deref())))]);
    }
    if let Some(functions) = crate::record::cover::covered(dir)? {
        return Ok(functions.into_iter().map(|(folder, found)| (folder, code::page(&found))).collect());
    }
    let one = |folder: String| {
        let run = data::read(&dir.join(&folder))?;
        Ok((folder, shown(page::page(&run))))
    };
    crate::record::read::folders(dir)?.into_iter().map(one).collect()
}

/// The text of a page, in which every character is seen: what turns the direction of a text stands by its number. Where a
/// long word may be divided stays.
fn shown(page: Markup) -> String {
    let page = page.into_string();
    let mut out = String::with_capacity(page.len());
    for c in page.chars() {
        match number_of(c).filter(|_| c != '\u{ad}') {
            Some(number) => out.push_str(&number.replace('<', "&lt;").replace('>', "&gt;")),
            None => out.push(c),
        }
    }
    out
}
