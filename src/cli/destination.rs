//! The folder that a run is written into.

use super::exit::Failure;
use super::output::Output;
use magneto::record::store::{self, Existing};
use std::path::{Path, PathBuf};

/// The output folder must be free, or hold nothing but an earlier run, whose files are returned. With `force` it may
/// hold other things too, but nothing that would be overwritten.
pub(super) fn free(dir: &Path, folders: &[String], force: bool) -> Result<Vec<String>, Failure> {
    let shown = dir.display();
    let stale = match store::look(dir) {
        Ok(Existing::Free) => Vec::new(),
        Ok(Existing::Own(files)) => files,
        Ok(Existing::Foreign(_)) if force => store::earlier(dir),
        Ok(Existing::Foreign(name)) => {
            let hint = match store::in_the_way(dir, folders, true) {
                Some(_) => "choose another folder with --output",
                None => "choose another folder with --output, or --force to write beside it",
            };
            return Err(Failure::usage_hint(format!("{shown} holds `{name}`, which magneto did not write"), hint));
        }
        Err(e) => {
            let message = format!("cannot write into {shown}: {e}");
            return Err(Failure::usage_hint(message, "choose another folder with --output"));
        }
    };
    if let Some(path) = store::in_the_way(dir, folders, force) {
        return Err(Failure::usage_hint(
            format!("{} is not of a run, and would be overwritten", path.display()),
            "choose another folder with --output",
        ));
    }
    // Now, not after a long run.
    store::writable(dir).map_err(|e| Failure::usage_hint(e, "choose another folder with --output"))?;
    Ok(stale)
}

/// A folder for some files or folders beside others: of these none may be there, unless the folder has a file in which this
/// text stands, by which it is of an earlier run of the same command.
pub(super) fn own<'a>(
    dir: Option<&PathBuf>,
    files: impl IntoIterator<Item = &'a str>,
    (mark, text): (&str, &str),
) -> Result<(), Failure> {
    let Some(dir) = dir else { return Ok(()) };
    if std::fs::read(dir.join(mark)).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text)) {
        return Ok(());
    }
    match files.into_iter().map(|name| dir.join(name)).find(|path| path.symlink_metadata().is_ok()) {
        Some(path) => Err(Failure::usage_hint(
            format!("{} is of something else, and would be overwritten", path.display()),
            "choose another folder with --output",
        )),
        None => Ok(()),
    }
}

/// The results of other specifications are replaced only with `force`, which is told: they may have taken hours.
pub(super) fn replaced(
    dir: &Path,
    names: &[&str],
    stale: &[String],
    force: bool,
    output: &Output,
) -> Result<(), Failure> {
    let before = if stale.is_empty() { Vec::new() } else { store::specifications(dir) };
    let gone: Vec<&str> = before.iter().map(String::as_str).filter(|b| !names.contains(b)).collect();
    if gone.is_empty() {
        return Ok(());
    }
    let results = format!("the earlier results in {}, of {}", dir.display(), gone.join(", "));
    if !force {
        return Err(Failure::usage_hint(
            format!("{results}, would be lost"),
            "choose another folder with --output, or --force to replace them",
        ));
    }
    output.note(format!("{results}, are replaced"));
    Ok(())
}

/// Tell of exported tests in the folder, which are of an earlier run from now on.
pub(super) fn exported(dir: &Path, output: &Output) {
    let names = store::exports(dir);
    let Some(first) = names.first() else { return };
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    let shown = dir.join(first);
    output.note(format!("{}{more}, exported from an earlier run, stay as they are; export again", shown.display()));
}
