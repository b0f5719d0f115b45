//! Formulas in the place of a SPEC: `--formula 'x: [0,1] -> exp(x) - 1'`, or the same text as SPEC.

use super::output::Output;
use magneto::infix::{Notation, Places, read};
use magneto::spec::core::Core;
use std::ffi::OsString;
use std::path::Path;

/// What stands for the file of a formula.
pub(super) const SHOWN: &str = "<formula>";
/// Begins a formula of `--formula` among the arguments, before its notation, and stands behind that. No name of a file has it.
const MARK: char = '\u{1}';

/// The command line with each `--formula` moved to the place of SPEC, which is the first behind the command, or an option of
/// that name.
pub(super) fn placed(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let all: Vec<OsString> = arguments.collect();
    let name = |a: &OsString| a.to_str().and_then(|a| super::COMMANDS.iter().find(|entry| entry.name == a));
    let Some((at, entry)) = all.iter().enumerate().skip(1).find_map(|(k, a)| Some((k, name(a)?))) else { return all };
    let command = (entry.command)();
    let has = |option: &str| command.get_arguments().any(|a| a.get_long() == Some(option));
    if !has("formula") {
        return all;
    }
    let is_option = has("spec");
    let (mut formulas, mut language, mut rest) = (Vec::new(), None, Vec::new());
    let mut left = all[at + 1..].iter().peekable();
    while let Some(argument) = left.next() {
        let text = argument.to_str().unwrap_or_default();
        if text == "--" {
            rest.push(argument.clone());
            rest.extend(left.by_ref().cloned());
        } else if let Some(formula) = text.strip_prefix("--formula=") {
            formulas.push(formula.to_owned());
        } else if text == "--formula"
            && let Some(formula) = left.next_if(|next| next.to_str().is_some())
        {
            formulas.push(formula.to_string_lossy().into_owned());
        } else {
            // Flags stay as they are: clap says what is wrong with a notation.
            let next = left.peek().and_then(|next| next.to_str()).filter(|_| text == "--language");
            let given = text.strip_prefix("--language=").or(next);
            language = given.map(str::to_owned).or(language);
            rest.push(argument.clone());
        }
    }
    let language = language.unwrap_or_else(|| Notation::Plain.name().to_owned());
    let marked = |formula: &str| OsString::from(format!("{MARK}{language}{MARK}{formula}"));
    let place = |formula: OsString| is_option.then(|| OsString::from("--spec")).into_iter().chain([formula]);
    let moved = formulas.iter().flat_map(|formula| place(marked(formula)));
    // A formula that stands as SPEC is in the same notation.
    let rest = rest.into_iter().map(|argument| match argument.to_str() {
        Some(text) if !text.starts_with('-') && is_formula(text) => marked(text),
        _ => argument,
    });
    all[..=at].iter().cloned().chain(moved).chain(rest).collect()
}

/// Whether an argument is a formula, and no file.
pub(super) fn is_formula(argument: &str) -> bool {
    argument.starts_with(MARK) || argument.contains("->") && !Path::new(argument).exists()
}

/// A formula of the command line.
pub(super) struct Written {
    /// What a person wrote.
    pub(super) text: String,
    /// What it was read as.
    core: Core,
}

impl Written {
    /// It as the text of an FPCore.
    pub(super) fn printed(&self) -> Vec<u8> {
        format!("{}\n", self.core).into_bytes()
    }

    /// Where the parts of the FPCore that was printed stand in the text.
    pub(super) fn places(&self, printed: &Core) -> Places {
        Places::new(&self.core, printed)
    }
}

/// The formula that an argument is, if it is one, or what is wrong with it. What it takes for granted is noted.
pub(super) fn formula_of(argument: &str, output: &Output) -> Option<Result<Written, String>> {
    if !is_formula(argument) {
        return None;
    }
    let (language, text) = argument.strip_prefix(MARK).and_then(|a| a.split_once(MARK)).unwrap_or(("plain", argument));
    let notation = Notation::from_name(language).unwrap_or(Notation::Plain);
    Some(match read(text, notation) {
        Err(diagnostic) => Err(diagnostic.render(SHOWN, text.as_bytes())),
        Ok(reading) => {
            reading.assumptions.iter().for_each(|a| output.note(&a.says));
            Ok(Written { text: text.to_owned(), core: reading.core })
        }
    })
}
