//! A C function: compiled to a shared library in a temporary folder.

use super::answer::clip;
use super::{Broken, Record};
use crate::tool::{self, Scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiled source file; the folder is removed with it.
pub(super) struct Compiled {
    pub(super) library: PathBuf,
    pub(super) folder: Scratch,
}

/// Compiles a source file with `$CC` (default `cc`) and `$CFLAGS`, links it with `$LDLIBS`, and records how. The debug information is for
/// [`super::prototype`]; it changes no code.
pub(super) fn compile(source: &Path, record: &mut Record) -> Result<Compiled, Broken> {
    let broken = |why: String, errors: Vec<String>| Broken { test: None, why, errors };
    let folder =
        Scratch::make().map_err(|(_, e)| broken(format!("cannot make a temporary folder: {e}"), Vec::new()))?;
    let library = folder.path().join("implementation.so");
    let variable = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let cc = words(&variable("CC").unwrap_or_else(|| "cc".to_owned()));
    let flags = words(&variable("CFLAGS").unwrap_or_default());
    let libraries = [words(&variable("LDLIBS").unwrap_or_default()), words("-lm")].concat();
    let shown = source.display().to_string();
    let made = words("-shared -fPIC -g -o implementation.so");
    let line = [&cc[..], &flags, &made, std::slice::from_ref(&shown), &libraries].concat();
    record.add("compile", line.join(" "));
    record.add("cc_version", version(&cc));
    let mut command = Command::new(&cc[0]);
    command.args(&cc[1..]).args(&flags).args(["-shared", "-fPIC", "-g", "-o"]);
    command.arg(&library).arg(source).args(&libraries);
    let answer = tool::answer(&command, "");
    let answer = answer.map_err(|e| broken(format!("cannot compile with `{}`: {e}", cc[0]), Vec::new()))?;
    if !answer.status.success() {
        let said = answer.said;
        let errors = said.lines().take(20).map(|l| clip(l, 200)).collect();
        return Err(broken(format!("{shown} does not compile: {}", line.join(" ")), errors));
    }
    Ok(Compiled { library, folder })
}

/// The first line that a compiler says of itself.
fn version(cc: &[String]) -> String {
    let text =
        tool::answer(Command::new(&cc[0]).args(&cc[1..]).arg("--version"), "").map(|a| a.output).unwrap_or_default();
    clip(text.lines().next().unwrap_or_default(), 200)
}
