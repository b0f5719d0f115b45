//! HTML files that show what commands found: offline, readable without JavaScript, printable.
//!
//! It is made from the files of a run alone, so that it can be made anew from them later. Charts are SVG and formulas
//! MathML, written here; a small script sorts and filters tables where scripts are allowed, and nothing depends on it.

mod answered;
mod around;
mod bands;
mod cards;
mod charts;
mod checked;
pub mod code;
mod conformity;
mod curve;
mod data;
mod errors;
mod evaluated;
mod folder;
mod independent;
mod listed;
mod mathml;
mod objectives;
mod overview;
mod page;
mod policy;
pub mod record;
mod runs;
mod scale;
mod scatter;
mod searched;
mod source;
mod survivors;
mod tables;
mod values;
mod words;

pub use folder::{FolderPages, FurtherEvidence, PageFile, further_evidence, index, pages};

use crate::record::store::FileKind;
use crate::text::number_of;
use maud::Markup;

/// The name of the report in a run's folder.
pub const NAME: &str = "report.html";

/// The name of the index of several pages.
pub const INDEX: &str = "index.html";

/// By what a page of ours is known.
pub const KIND: FileKind =
    FileKind { name: "a page", start: "<!DOCTYPE html>", inside: "<meta name=\"generator\" content=\"magneto " };

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
