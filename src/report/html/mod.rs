//! One HTML file that shows a run: offline, readable without JavaScript, printable.
//!
//! It is made from the files of a run alone, so that it can be made anew from them later. Charts are SVG and formulas
//! MathML, written here; a small script sorts and filters tables where scripts are allowed, and nothing depends on it.

mod bands;
mod cards;
mod charts;
mod checked;
mod data;
mod mathml;
mod page;
mod scatter;
mod source;
mod survivors;
mod tables;
mod words;

use super::stored::folders;
use std::path::Path;

/// The name of the report in a run's folder.
pub const NAME: &str = "report.html";

/// The report on one specification, from its files: `file` gives the contents of a file of the folder by its name.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn page(file: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<String, String> {
    data::read(file).map(|run| page::page(&run).into_string())
}

/// The reports of a run's folder: for each specification the folder in it, which is empty if there is but one, and the
/// page.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn pages(dir: &Path) -> Result<Vec<(String, String)>, String> {
    let one = |folder: std::path::PathBuf| {
        let inside = folder.strip_prefix(dir).unwrap_or(&folder).to_string_lossy().into_owned();
        let read = |name: &str| std::fs::read(folder.join(name)).ok();
        let made = page(&read).map_err(|e| if inside.is_empty() { e } else { format!("{inside}: {e}") })?;
        Ok((inside, made))
    };
    folders(dir)?.into_iter().map(one).collect()
}
