//! What an implementation's answers rest on beside the inputs: the files that are loaded with it, by their contents, and what may
//! change what these do. Where all of it is known, nobody needs to run the implementation again while none of it changes.
//!
//! Nothing is concluded from names and times of sources: the library is compiled and loaded, the Python module imported, and what
//! the system has in memory then is hashed. Where code can reach something that is not among that, as a file that it opens while
//! it runs, nothing is known.

mod pure;

use super::{PreparedTarget, UnderTest, hash_of};
use crate::cc::imports::LibrarySymbols;
use crate::tool;
use rustix::process::{Resource, getrlimit};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The flag of [`super::CALL`] that asks for the files that are loaded with a library, instead of answers.
pub const FILES: &str = "--files";

/// How long loading may take.
const TIME: Duration = Duration::from_secs(30);

/// What answers rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foundation {
    /// All of it, as a text: where that is equal, answers are.
    Known(String),
    /// Something else may bear on the answers: what that is, in words.
    Unknown(String),
}

impl Foundation {
    /// That of an implementation that is ready to be started. It is loaded for that, in a process of its own.
    #[must_use]
    pub fn of(target: &UnderTest, prepared: &PreparedTarget) -> Self {
        target.kind.foundation(&prepared.program.command)
    }
}

/// What a process that loads something tells of it.
#[derive(Default)]
pub(super) struct Told {
    files: BTreeSet<String>,
    facts: Vec<String>,
    reasons: Vec<String>,
}

/// Asks a program, which ends with a line `end`.
pub(super) fn ask(command: &[OsString]) -> Result<Told, String> {
    let unloaded = || "it cannot be loaded".to_owned();
    let (program, arguments) = command.split_first().ok_or_else(unloaded)?;
    let answer = tool::answer_within(Command::new(program).args(arguments), "", TIME).map_err(|_| unloaded())?;
    let mut told = Told::default();
    if answer.output.lines().last() != Some("end") {
        return Err(unloaded());
    }
    for line in answer.output.lines() {
        match line.split_once(' ') {
            Some(("file", path)) => drop(told.files.insert(path.to_owned())),
            Some(("reason", text)) => told.reasons.push(text.to_owned()),
            _ => told.facts.push(line.to_owned()),
        }
    }
    Ok(told)
}

/// All as a text, the contents of files by their hashes. The name of a temporary file is left out.
pub(super) fn known(told: &Told, temporary: &str) -> Foundation {
    if let Some(reason) = told.reasons.first() {
        return Foundation::Unknown(reason.clone());
    }
    let mut lines = vec![machine()];
    lines.extend(told.facts.iter().cloned());
    for path in &told.files {
        match hash_of(Path::new(path)) {
            Some(hash) => lines.push(format!("{hash} {path}")),
            None => return Foundation::Unknown(format!("{path}, which is loaded, cannot be read")),
        }
    }
    if !temporary.is_empty() {
        lines.iter_mut().for_each(|line| *line = line.replace(temporary, "(temporary)"));
    }
    lines.sort_unstable();
    Foundation::Known(lines.join("\n"))
}

/// What the processor can do, by which libraries choose among their functions, and how much memory a function may have.
fn machine() -> String {
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let is_told = |line: &&str| ["model name", "flags", "Features", "CPU"].iter().any(|key| line.starts_with(key));
    let processor: BTreeSet<&str> = about.lines().filter(is_told).collect();
    let limits = [Resource::Stack, Resource::Data, Resource::As].map(|resource| format!("{:?}", getrlimit(resource)));
    let (system, kind) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{system} {kind} {processor:?} {}", limits.join(" "))
}

/// What a function of a library rests on, which a command calls; `is_temporary` where the library is made for one run.
pub(super) fn of_library(command: &[OsString], is_temporary: bool) -> Foundation {
    let mut command = command.to_vec();
    command.push(FILES.into());
    let mut told = match ask(&command) {
        Ok(told) => told,
        Err(why) => return Foundation::Unknown(why),
    };
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let this = command.first().map(|program| real(Path::new(program)));
    told.files.retain(|file| Some(real(Path::new(file))) != this);
    if told.files.is_empty() {
        return Foundation::Unknown("which libraries are loaded cannot be seen on this system".to_owned());
    }
    if let Some(reason) = reach(&told.files) {
        return Foundation::Unknown(reason);
    }
    // The library of a source is a temporary file.
    let library = command.get(2).map(|library| real(Path::new(library))).filter(|_| is_temporary);
    known(&told, &library.map_or(String::new(), |path| path.to_string_lossy().into_owned()))
}

/// Why the code in some libraries may reach more than its arguments and these libraries, if it may.
fn reach(files: &BTreeSet<String>) -> Option<String> {
    let name = |file: &str| Path::new(file).file_name().map_or(String::new(), |n| n.to_string_lossy().into_owned());
    let mut given = BTreeSet::new();
    let mut all = Vec::new();
    for file in files.iter().filter(|file| !pure::is_of_system(&name(file))) {
        let Some(symbols) = LibrarySymbols::read(Path::new(file)) else {
            return Some(format!("what {} calls cannot be read", name(file)));
        };
        if symbols.runs_when_loaded {
            return Some(format!("code of {} runs when it is loaded", name(file)));
        }
        given.extend(symbols.given.iter().cloned());
        all.push((name(file), symbols.taken));
    }
    let mut reaches = all.iter().flat_map(|(file, taken)| taken.iter().map(move |symbol| (file, symbol)));
    let (file, symbol) = reaches.find(|(_, symbol)| !given.contains(*symbol) && !pure::is_pure(symbol))?;
    Some(format!("{file} uses `{symbol}`, which may read more than its arguments"))
}
