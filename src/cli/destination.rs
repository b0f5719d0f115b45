//! The folders and files that commands write. No input is overwritten, no work of somebody else, nothing through a link.

use super::exit::Failure;
use super::output::Output;
use clap::ArgMatches;
use magneto::record::RunFiles;
use magneto::record::store::{self, Content as _, FileKind, FolderClaim};
use magneto::report::html;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The arguments that name what is written, and one that only groups others.
const NO_INPUTS: [&str; 5] = ["output", "junit", "lcov", "complete", "implementation"];

/// The files among what the arguments name: all but outputs. `FILE:NAME` names a file too.
fn inputs(matches: &ArgMatches) -> Vec<PathBuf> {
    let ids = matches.ids().map(clap::Id::as_str).filter(|id| !NO_INPUTS.contains(id));
    let values = ids.filter_map(|id| matches.try_get_raw(id).ok().flatten()).flatten();
    let file = |value: &std::ffi::OsStr| {
        let text = value.to_string_lossy();
        let cuts = text.match_indices(':').map(|(at, _)| PathBuf::from(&text[..at]));
        std::iter::once(PathBuf::from(value)).chain(cuts).find(|path| path.is_file())
    };
    values.filter_map(file).collect()
}

/// That a file to be written is no input of the command.
fn spares(matches: &ArgMatches, path: &Path) -> Result<(), Failure> {
    let place = |path: &Path| path.metadata().ok().filter(std::fs::Metadata::is_file).map(|m| (m.dev(), m.ino()));
    let Some(there) = place(path) else { return Ok(()) };
    match inputs(matches).iter().any(|input| place(input) == Some(there)) {
        true => Err(Failure::usage_hint(
            format!("{} is read by this command, and would be overwritten", path.display()),
            "name another place for what is written",
        )),
        false => Ok(()),
    }
}

/// The file that an option names, if it does, can be written: to be asked before anything is computed at length.
pub(super) fn file(matches: &ArgMatches, path: Option<&Path>, kind: FileKind) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    store::may_write(path, kind)?;
    spares(matches, path)
}

/// Writes the file that an option names, if it does.
pub(super) fn write(
    matches: &ArgMatches,
    path: Option<&Path>,
    kind: FileKind,
    bytes: impl FnOnce() -> Result<Vec<u8>, Failure>,
) -> Result<(), Failure> {
    file(matches, path, kind)?;
    match path {
        Some(path) => Ok(store::write_file(path, kind, bytes()?)?),
        None => Ok(()),
    }
}

/// The pages in a folder that show what a command now replaces: of these names those that `report` wrote, and the index. The
/// page of a run shows its check, and nothing of other commands.
pub(super) fn outdated(dir: &Path, names: &[&str], shown_by_run: bool) -> Vec<String> {
    let of_run = (shown_by_run || !dir.join("summary.json").exists()).then_some(html::NAME);
    let names = names.iter().copied().chain(of_run).chain([html::INDEX]);
    let is_ours = |name: &&str| {
        let path = dir.join(name);
        path.is_file() && store::may_write(&path, html::KIND).is_ok()
    };
    names.filter(is_ours).map(str::to_owned).collect()
}

/// Tells that pages are gone.
pub(super) fn tell_outdated(dir: &Path, pages: &[String], output: &Output) {
    if !pages.is_empty() {
        let shown: Vec<String> = pages.iter().map(|page| dir.join(page).display().to_string()).collect();
        output.note(format!(
            "removed, since they showed earlier results: {} (`magneto report` makes them anew)",
            shown.join(", ")
        ));
    }
}

/// The folder of `--output`, if there is one, may have what a command is to write, and no file of that is an input.
pub(super) fn folder(matches: &ArgMatches, dir: Option<&Path>, claim: &FolderClaim<'_>) -> Result<(), Failure> {
    let Some(dir) = dir else { return Ok(()) };
    store::claim(dir, claim)?;
    if let FolderClaim::Beside(files) | FolderClaim::Own(files, _) = claim {
        files.iter().try_for_each(|name| spares(matches, &dir.join(name)))?;
    }
    Ok(())
}

/// That what is read from `path` is not in the folder of the results, or that folder itself: it would be replaced.
pub(super) fn apart(path: &Path, dir: &Path) -> Result<(), Failure> {
    let inside = dir.canonicalize().is_ok_and(|dir| path.canonicalize().is_ok_and(|path| path.starts_with(dir)));
    if !inside {
        return Ok(());
    }
    Err(Failure::usage_hint(
        format!("{} is inside of {}, and would be replaced", path.display(), dir.display()),
        "choose another folder with --output",
    ))
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

/// Tells of a signed record in a folder that shows earlier results from now on; it is nobody's to remove.
pub(super) fn tell_record(dir: &Path, output: &Output) {
    let old: Vec<String> = ["record.html", "record.pdf"]
        .iter()
        .map(|n| dir.join(n))
        .filter(|p| p.is_file())
        .map(|p| p.display().to_string())
        .collect();
    if !old.is_empty() {
        let shows = if old.len() == 1 { "shows" } else { "show" };
        output.note(format!(
            "{} {shows} earlier results from now on (`magneto report --format record` makes a record anew)",
            old.join(", ")
        ));
    }
}

/// The files of an earlier run that have to go. Those of `check` and `worst` stay beside a specification of which the new run says
/// the very same; of the others it is told that they are gone.
pub(super) fn gone(dir: &Path, stale: Vec<String>, files: &RunFiles, output: &Output) -> Vec<String> {
    let is_result = |name: &str| {
        let name = name.rsplit('/').next().unwrap_or(name);
        store::is_check(name) || store::is_worst(name)
    };
    let fits = |path: &str| {
        let manifest = match path.rsplit_once('/') {
            Some((folder, _)) => format!("{folder}/manifest.json"),
            None => "manifest.json".to_owned(),
        };
        let now = files.get(&manifest).and_then(|held| held.bytes().ok());
        now.is_some_and(|now| std::fs::read(dir.join(&manifest)).is_ok_and(|before| *now == *before))
    };
    let (results, mut others): (Vec<String>, Vec<String>) = stale.into_iter().partition(|name| is_result(name));
    let (_, lost): (Vec<String>, Vec<String>) = results.into_iter().partition(|path| fits(path));
    if !lost.is_empty() {
        let shown: Vec<String> = lost.iter().map(|path| dir.join(path).display().to_string()).collect();
        output.note(format!("removed, since they are about earlier tests: {}", shown.join(", ")));
    }
    others.extend(lost);
    others
}

/// Tell of exported tests in the folder, which are of an earlier run from now on.
pub(super) fn exported(dir: &Path, output: &Output) {
    let names = store::exports(dir);
    let Some(first) = names.first() else { return };
    let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
    let shown = dir.join(first);
    output.note(format!("{}{more}, exported from an earlier run, stay as they are; export again", shown.display()));
}
