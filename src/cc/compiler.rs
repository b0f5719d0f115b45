//! Compilers: which ones are called, with what, and why they give no answer.

use crate::tool::{self, ToolError, ToolOutput};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a file is compiled with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Folders for `#include`, as after `-I`.
    pub include: Vec<PathBuf>,
    /// Macros, as after `-D`.
    pub define: Vec<String>,
    /// Further options of the compiler, such as `-std=c99`.
    pub options: Vec<String>,
    /// Whether code rounds in the direction that is set when it runs (`-frounding-math`).
    pub has_dynamic_mode: bool,
}

impl Flags {
    /// The folders for `#include` that are named in any way.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        let mut all = self.include.clone();
        let mut words = self.options.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("-I") {
                Some("") => all.extend(words.next().map(PathBuf::from)),
                Some(folder) => all.push(folder.into()),
                None => {}
            }
        }
        all
    }

    /// The same as arguments of a compiler.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = OsString> {
        let include = self.include.iter().flat_map(|folder| [OsString::from("-I"), folder.into()]);
        let define = self.define.iter().map(|d| format!("-D{d}").into());
        include.chain(define).chain(self.options.iter().map(OsString::from))
    }
}

/// The program that a variable of the environment names, else the one of that name.
pub(crate) fn named(variable: &str, default: &str) -> OsString {
    std::env::var_os(variable).filter(|v| !v.is_empty()).unwrap_or_else(|| default.into())
}

/// Whether a source is in C, by its name; others are in C++.
pub(crate) fn is_c(source: &Path) -> bool {
    source.extension().is_some_and(|e| e == "c")
}

/// A file under the one name that compilers and debugging information can be brought to.
#[must_use]
pub fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Why a program of the toolchain gives no answer.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// It cannot be run, or was stopped.
    Tool(ToolError),
    /// It ended with a failure; with what it said.
    Refused(String),
}

/// Runs a program of the toolchain.
pub(crate) fn run(command: &Command, input: &str) -> Result<ToolOutput, Refusal> {
    let answer = tool::answer(command, input).map_err(Refusal::Tool)?;
    if answer.status.success() { Ok(answer) } else { Err(Refusal::Refused(answer.said)) }
}

/// The first lines of what a program says.
pub(crate) fn first_lines(said: &str, most: usize) -> String {
    said.lines().take(most).collect::<Vec<_>>().join("\n")
}
