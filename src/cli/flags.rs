//! Knobs as flags, and the settings of a command: defaults, then `magneto.toml`, then flags.

use super::exit::Failure;
use super::sources;
use clap::builder::{IntoResettable, StyledStr};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use magneto::options::{KNOBS, Knob, Origin, Scope, Section, Settings, Shape};
use magneto::spec::Diagnostic;
use std::path::{Path, PathBuf};

/// Adds the flags of the knobs that the command knows.
pub(crate) fn with_knobs(command: Command) -> Command {
    let name = command.get_name().to_owned();
    let known = KNOBS.iter().filter(|k| k.scope.covers(&name));
    known.fold(command, |command, knob| command.arg(flag(knob)))
}

fn flag(knob: &'static Knob) -> Arg {
    let arg = Arg::new(knob.name).long(knob.name).help(knob.doc);
    let arg = match knob.name {
        "output" => arg.short('o'),
        "jobs" => arg.short('j'),
        _ => arg,
    };
    let arg = if knob.scope == Scope::Solver { arg.help_heading("Expert") } else { arg };
    match knob.shape {
        Shape::Switch => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_name("BOOL")
            .hide_possible_values(true)
            .value_parser(["true", "false"]),
        Shape::Value => arg.value_name(knob.value).allow_hyphen_values(true),
        Shape::List => arg.value_name(knob.value).action(ArgAction::Append),
    }
}

/// A command with the options of a type, and the knobs that it knows.
pub(crate) fn command<T: Args>(name: &'static str, after: impl IntoResettable<StyledStr>) -> Command {
    with_knobs(T::augment_args(Command::new(name)).after_help(after))
}

/// What a command line says, as the type has it of which its command was made.
pub(crate) fn options<T: FromArgMatches>(matches: &ArgMatches) -> Result<T, Failure> {
    T::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))
}

/// The settings of a command.
pub(crate) fn settings(command: &str, matches: &ArgMatches) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(path) = nearest_toml() {
        read(&mut settings, &path)?;
    }
    let mut messages = Vec::new();
    for knob in KNOBS.iter().filter(|k| k.scope.covers(command)) {
        let Some(values) = matches.get_many::<String>(knob.name) else { continue };
        let values: Vec<String> = values.cloned().collect();
        if let Err(message) = settings.set(knob, &values, Origin::Flag) {
            messages.push(format!("error: --{}: {message}\n", knob.name));
        }
    }
    if messages.is_empty() { Ok(settings) } else { Err(Failure::rendered(messages)) }
}

/// The nearest `magneto.toml`, upward from the current folder.
fn nearest_toml() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    here.ancestors().map(|d| d.join("magneto.toml")).find(|p| p.is_file())
}

fn read(settings: &mut Settings, path: &Path) -> Result<(), Failure> {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| Failure::usage(format!("cannot read {shown}: {e}")))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Failure::usage(format!("{shown} is not a text file")))?;
    let rendered = |d: &Diagnostic| d.render(&shown, &bytes);
    settings.read_toml(text, path).map_err(|list| Failure::rendered(list.iter().map(rendered).collect()))?;
    let misspelt = |s: &Section| Some(Diagnostic::semantic(s.span, sources::misspelt(s)?).hint("`[*]` is a plain `*`"));
    let wrong: Vec<String> = settings.sections.iter().filter_map(misspelt).map(|d| rendered(&d)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure::rendered(wrong)) }
}
