//! `compile_commands.json`: what a build compiles each file with.

use magneto::cc::compiler::real;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How one file is compiled.
#[derive(Deserialize)]
struct CompileCommand {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
}

/// Options that are followed by what they are about.
const WITH_VALUE: [&str; 9] =
    ["-I", "-isystem", "-iquote", "-include", "-imacros", "-idirafter", "-D", "-U", "--sysroot"];
/// Those of them that name a file or a folder.
const WITH_PATH: [&str; 6] = ["-I", "-isystem", "-iquote", "-include", "-imacros", "-idirafter"];
/// Beginnings of other options that say what the code means.
const KEPT: [&str; 5] = ["-std=", "-f", "-pthread", "-ansi", "-nostdinc"];

/// The options that say what a source means; those about speed, warnings and files are left out.
pub(super) fn options(commands: &Path, source: &Path) -> Result<Vec<String>, String> {
    let said = |e: &dyn std::fmt::Display| format!("--compile-commands {}: {e}", commands.display());
    let text = std::fs::read_to_string(commands).map_err(|e| said(&e))?;
    let all: Vec<CompileCommand> = serde_json::from_str(&text).map_err(|e| said(&e))?;
    let is_it = |one: &&CompileCommand| real(&one.directory.join(&one.file)) == real(source);
    let one = all.iter().find(is_it).ok_or_else(|| said(&format!("{} is not there", source.display())))?;
    let words = match one.arguments.is_empty() {
        true => shlex::split(&one.command).ok_or_else(|| said(&"a command with a quote that is not closed"))?,
        false => one.arguments.clone(),
    };
    Ok(kept(&words, &one.directory))
}

fn kept(words: &[String], directory: &Path) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let path = |value: &str| directory.join(value).display().to_string();
        if let Some(option) = WITH_VALUE.iter().find(|o| word.starts_with(**o)) {
            let value = match &word[option.len()..] {
                "" => rest.next().cloned().unwrap_or_default(),
                value => value.to_owned(),
            };
            let value = if WITH_PATH.contains(option) { path(&value) } else { value };
            all.extend([(*option).to_owned(), value]);
        } else if KEPT.iter().any(|o| word.starts_with(o)) && !["-flto", "-fuse-ld"].iter().any(|o| word.starts_with(o))
        {
            all.push(word.clone());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_say_what_code_means_are_kept() {
        let words = "cc -O3 -Wall -Iinclude -I /usr/x -DN=2 -D M -std=c99 -flto -fwrapv -c -o f.o f.c";
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        assert_eq!(
            kept(&words, Path::new("/b")),
            ["-I", "/b/include", "-I", "/usr/x", "-D", "N=2", "-D", "M", "-std=c99", "-fwrapv"]
        );
    }
}
