//! Options that are not for all commands: sections of a `magneto.toml` such as `[cover]`, and what stands in none.

use super::options_of_implementations;
use super::{KNOBS, Settings, article};
use crate::text::{Diagnostic, Span, nearest, quote};
use crate::unfit::Unfit;
use toml::de::DeValue;

/// An option of one command, as its section of a `magneto.toml` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOption {
    /// The command.
    pub command: &'static str,
    /// The option, without dashes.
    pub name: &'static str,
    /// Its value, several for one that is repeated; `true` or `false` for a switch.
    pub values: Vec<String>,
    /// Where that stands.
    pub span: Span,
}

/// The commands that go by a `magneto.toml`.
pub const COMMANDS: &[&str] = &[
    "gen", "eval", "mutants", "oracle", "explain", "accept", "diff", "lint", "check", "worst", "cover", "reach",
    "solve", "report",
];

/// The options that are keys in the sections of some commands.
pub const OF_COMMANDS: &[(&str, &[&str])] = &[
    ("annex", &["report"]),
    ("approver", &["report"]),
    ("before", &["cover", "reach"]),
    ("budget", &["reach", "solve"]),
    ("callees", &["cover"]),
    ("cflags", &["cover", "reach"]),
    ("check", &["explain", "cover", "reach", "solve"]),
    ("date", &["report"]),
    ("decimal", &["eval"]),
    ("define", &["cover", "reach"]),
    ("delimiter", &["eval"]),
    ("deny", &["lint"]),
    ("diff", &["mutants"]),
    ("distribution", &["report"]),
    ("evaluations", &["worst", "cover", "reach"]),
    ("fail-on", &["diff"]),
    ("format", &["diff"]),
    ("id", &["report"]),
    ("include", &["cover", "reach"]),
    ("item", &["report"]),
    ("judged", &["cover"]),
    ("level", &["report"]),
    ("map", &["eval"]),
    ("matrix", &["eval"]),
    ("memory", &["solve"]),
    ("min-coverage", &["cover"]),
    ("most", &["reach"]),
    ("native", &["cover", "reach"]),
    ("no-native", &["cover", "reach"]),
    ("pdf", &["report"]),
    ("requirements", &["report"]),
    ("revision", &["report"]),
    ("scale", &["eval"]),
    ("score", &["diff"]),
    ("seconds", &["cover"]),
    ("seed", &["cover", "reach"]),
    ("sheet", &["eval"]),
    ("software", &["check", "report"]),
    ("strict", &["eval"]),
    ("suggest", &["eval"]),
    ("target", &["check", "report"]),
    ("tester", &["check", "report"]),
    ("timeout", &["solve"]),
    ("verbose", &["check"]),
    ("verifier", &["report"]),
    ("warnings", &["cover", "reach"]),
];

/// Why an option that names an input of a run is no key.
const WHY_NAMED: &str = "names what one run reads";

/// The options that are no keys of a `magneto.toml`, beside those of [`options_of_implementations`], below the reason: each is about one run.
pub const OF_ONE_RUN: &[(&str, &[&str])] = &[
    (
        WHY_NAMED,
        &[
            "against",
            "against-symbol",
            "all",
            "compile-commands",
            "formula",
            "from",
            "function",
            "input",
            "language",
            "results",
            "reuse",
            "spec",
            "tests",
            "times",
            "with",
        ],
    ),
    ("names where one run writes", &["complete", "junit", "lcov", "output"]),
    (
        "asks one question",
        &[
            "assert",
            "at",
            "boundary",
            "branch",
            "div0",
            "exhaustive",
            "goal",
            "id",
            "inf",
            "line",
            "list",
            "nan",
            "only",
            "overflow",
            "path",
            "paths",
            "value",
        ],
    ),
    (
        "belongs to a command that reads no magneto.toml",
        &["boxes", "keep", "name", "precision", "range", "stdio", "unit"],
    ),
    ("is a person's decision", &["by", "reason", "remove"]),
    ("says which part of one run is done, or goes on", &["force", "resume", "shard"]),
    ("says how one run is shown", &["as", "color", "format", "json", "open", "quiet", "source-folder", "tap", "to"]),
];

/// Why an option is no key, if it is one of those.
fn why_of_one_run(name: &str) -> Option<&'static str> {
    let of_implementation = || options_of_implementations().any(|own| own == name).then_some(WHY_NAMED);
    OF_ONE_RUN.iter().find(|(_, names)| names.contains(&name)).map(|(why, _)| *why).or_else(of_implementation)
}

/// What is said of a key that is no knob, where it stands above all sections.
pub(super) fn misplaced(name: &str, at: Span) -> Diagnostic {
    if let Some((_, commands)) = OF_COMMANDS.iter().find(|(own, _)| *own == name) {
        let message = format!("`{name}` is an option of {}", listed(commands));
        return Diagnostic::semantic(at, message).hint(format!("put it into a section, such as `[{}]`", commands[0]));
    }
    no_key(name, at, KNOBS.iter().map(|k| k.name))
}

fn no_key(name: &str, at: Span, keys: impl Iterator<Item = &'static str> + Clone) -> Diagnostic {
    if let Some(why) = why_of_one_run(name) {
        let message = format!("`{name}` {why}, and is no key of magneto.toml");
        return Diagnostic::semantic(at, message).hint(format!("give --{name} on the command line"));
    }
    let hint = match nearest(name, keys.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", keys.collect::<Vec<_>>().join(", ")),
    };
    Diagnostic::semantic(at, format!("unknown key {}", quote(name))).hint(hint)
}

fn listed(commands: &[&str]) -> String {
    commands.iter().map(|c| format!("`{c}`")).collect::<Vec<_>>().join(", ")
}

impl Settings {
    /// Reads the section of a command: its own options alone, since those of all commands stand above.
    pub(super) fn read_command(&mut self, command: &'static str, value: &DeValue<'_>, at: Span) -> Vec<Diagnostic> {
        let span = |r: std::ops::Range<usize>| Span { start: r.start, end: r.end };
        let DeValue::Table(options) = value else {
            let hint = format!("write `[{command}]` above the options of this command");
            return vec![Diagnostic::semantic(at, format!("`{command}`: expected options")).hint(hint)];
        };
        let own = OF_COMMANDS.iter().filter(|(_, commands)| commands.contains(&command)).map(|(name, _)| *name);
        let mut wrong = Vec::new();
        for (key, value) in options {
            let (name, at): (&str, Span) = (key.get_ref(), span(key.span()));
            let Some(name) = own.clone().find(|own| *own == name) else {
                wrong.push(match KNOBS.iter().find(|k| k.name == name && k.scope.covers(command)) {
                    Some(_) => Diagnostic::semantic(at, format!("`{name}` is for all commands"))
                        .hint("put it above all sections"),
                    None => no_key(name, at, own.clone()),
                });
                continue;
            };
            match texts(value.get_ref()) {
                Ok(values) => self.commands.push(CommandOption { command, name, values, span: span(value.span()) }),
                Err(e) => wrong.push(Diagnostic::semantic(span(value.span()), format!("`{name}`: {e}"))),
            }
        }
        wrong
    }
}

/// A value as the command line would give it, or a list of them; numbers keep their spelling.
fn texts(value: &DeValue<'_>) -> Result<Vec<String>, Unfit> {
    match value {
        DeValue::Array(items) => items.iter().map(|item| text(item.get_ref())).collect(),
        one => text(one).map(|text| vec![text]),
    }
}

/// The same of one value.
pub(super) fn text(value: &DeValue<'_>) -> Result<String, Unfit> {
    match value {
        DeValue::String(s) => Ok(s.to_string()),
        DeValue::Integer(i) if i.radix() == 10 => Ok(i.as_str().replace('_', "")),
        DeValue::Float(f) => Ok(f.as_str().replace('_', "")),
        DeValue::Boolean(b) => Ok(b.to_string()),
        other => {
            let kind = other.type_str();
            Err(Unfit::from(format!("expected a string, a number, true or false, found {} {kind}", article(kind))))
        }
    }
}
