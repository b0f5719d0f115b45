//! What is there instead of a file that is not: the hint for a path that names none.

use crate::text::nearest;
use std::path::Path;

/// The most files that are named.
const NAMED: usize = 5;

/// A hint for a path at which there is no file: the folder that is missing, the file that was probably meant, or the files
/// there that end in one of `extensions`.
#[must_use]
pub fn beside(path: &Path, extensions: &[&str]) -> String {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let shown = folder.map_or_else(|| "the current folder".to_owned(), |f| name(&f.to_string_lossy()));
    let Ok(entries) = std::fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return format!("there is no folder {shown}");
    };
    let names = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
    // Nobody means a hidden file by another name.
    let mut names: Vec<String> = names.filter(|n| !n.starts_with('.')).collect();
    names.sort_unstable();
    let fits = |n: &str| extensions.iter().any(|e| n.strip_suffix(e).is_some_and(|n| n.ends_with('.')));
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let without = names.iter().map(String::as_str).find(|n| fits(n) && Path::new(n).file_stem() == path.file_name());
    if let Some(meant) = without.or_else(|| nearest(&wanted, names.iter().map(String::as_str))) {
        return format!("did you mean {}?", name(&path.with_file_name(meant).to_string_lossy()));
    }
    let fitting: Vec<String> = names.iter().filter(|n| fits(n)).map(|n| name(n)).collect();
    match fitting.len() {
        0 => format!("there is no .{} file in {shown}", extensions.join(" or .")),
        1 => format!("in {shown} there is {}", fitting[0]),
        n if n > NAMED => format!("in {shown} there are {} and {} more", fitting[..NAMED].join(", "), n - NAMED),
        _ => format!("in {shown} there are {}", fitting.join(", ")),
    }
}

/// A name in backquotes, whole, so that it can be copied.
fn name(text: &str) -> String {
    format!("`{}`", text.replace(char::is_control, "\u{fffd}"))
}
