//! Knobs as flags, and the settings of a command: defaults, then `magneto.toml`, then flags.

use super::exit::Failure;
use super::sources;
use clap::builder::{IntoResettable, StyledStr};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use magneto::options::{JOBS, KNOBS, Knob, OUTPUT, OptionOrigin, OptionShape, Scope, Settings, SpecPattern};
use magneto::text::Diagnostic;
use std::path::{Path, PathBuf};

/// Adds the flags of knobs.
fn with_knobs(command: Command, knobs: impl Iterator<Item = &'static Knob>) -> Command {
    knobs.fold(command, |command, knob| command.arg(flag(knob)))
}

/// The knobs that the command of that name knows.
fn known(command: &str) -> impl Iterator<Item = &'static Knob> {
    KNOBS.iter().filter(move |k| k.scope.covers(command))
}

fn flag(knob: &'static Knob) -> Arg {
    let arg = Arg::new(knob.name).long(knob.name).help(knob.doc);
    let arg = match knob.name {
        name if name == OUTPUT.name => arg.short('o'),
        name if name == JOBS.name => arg.short('j'),
        _ => arg,
    };
    let arg = if knob.scope == Scope::Solver { arg.help_heading("Expert") } else { arg };
    match knob.shape {
        OptionShape::Switch => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("true")
            .value_name("BOOL")
            .hide_possible_values(true)
            .value_parser(["true", "false"]),
        OptionShape::Value => arg.value_name(knob.value).allow_hyphen_values(true),
        OptionShape::List => arg.value_name(knob.value).action(ArgAction::Append),
    }
}

/// A command with the options of a type, and the knobs that it knows.
pub(crate) fn command<T: Args>(name: &'static str, after: impl IntoResettable<StyledStr>) -> Command {
    with_knobs(T::augment_args(Command::new(name)).after_help(after), known(name))
}

/// A command with the options of a type and some knobs that reads no `magneto.toml`, as benchmarks are.
pub(crate) fn alone<T: Args>(
    name: &'static str,
    knobs: &[&'static Knob],
    after: impl IntoResettable<StyledStr>,
) -> Command {
    with_knobs(T::augment_args(Command::new(name)).after_help(after), knobs.iter().copied())
}

/// Sets the knobs of such a command.
pub(crate) fn set(settings: &mut Settings, knobs: &[&'static Knob], matches: &ArgMatches) -> Result<(), Failure> {
    take(settings, knobs.iter().copied(), matches)
}

/// What a command line says, as the type has it of which its command was made.
pub(crate) fn options<T: FromArgMatches>(matches: &ArgMatches) -> Result<T, Failure> {
    T::from_arg_matches(matches).map_err(|e| Failure::usage(e.to_string()))
}

/// The settings of a command.
pub(crate) fn settings(command: &str, matches: &ArgMatches) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if let Some(toml) = Toml::nearest()? {
        settings = toml.settings;
    }
    take(&mut settings, known(command), matches)?;
    Ok(settings)
}

/// Takes the values of knobs over from the command line, or says all that is wrong with them.
fn take(
    settings: &mut Settings,
    knobs: impl Iterator<Item = &'static Knob>,
    matches: &ArgMatches,
) -> Result<(), Failure> {
    let mut messages = Vec::new();
    for knob in knobs {
        let Some(values) = matches.get_many::<String>(knob.name) else { continue };
        let values: Vec<String> = values.cloned().collect();
        if let Err(message) = settings.set(knob, &values, OptionOrigin::Flag) {
            messages.push(format!("error: --{}: {message}\n", knob.name));
        }
    }
    if messages.is_empty() { Ok(()) } else { Err(Failure::rendered(messages)) }
}

/// The nearest `magneto.toml`, upward from a folder.
fn nearest_toml(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|d| d.join("magneto.toml")).find(|p| p.is_file())
}

/// What a `magneto.toml` says.
pub(super) struct Toml {
    /// Its name in messages.
    shown: String,
    bytes: Vec<u8>,
    pub(super) settings: Settings,
}

impl Toml {
    /// The nearest one upward from the current folder, if there is one, or all that is wrong with it.
    pub(super) fn nearest() -> Result<Option<Self>, Failure> {
        std::env::current_dir().map_or(Ok(None), |here| Toml::nearest_to(&here))
    }

    /// The nearest one upward from a folder.
    pub(super) fn nearest_to(folder: &Path) -> Result<Option<Self>, Failure> {
        let Some(path) = nearest_toml(folder) else { return Ok(None) };
        let shown = path.display().to_string();
        let bytes = std::fs::read(&path).map_err(|e| Failure::unread(&path, &e, &["toml"]))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| Failure::usage(format!("{shown} is not a text file")))?;
        let mut settings = Settings::default();
        let read = settings.read_toml(text, &path);
        let toml = Toml { shown, settings, bytes };
        toml.accept(read.err().unwrap_or_default())?;
        let misspelt =
            |p: &SpecPattern| Some(Diagnostic::semantic(p.span, sources::misspelt(p)?).hint("`[*]` is a plain `*`"));
        toml.accept(sources::patterns(&toml.settings).map(|(_, p)| p).filter_map(misspelt).collect())?;
        Ok(Some(toml))
    }

    /// Fails with what is wrong, if something is.
    pub(super) fn accept(&self, wrong: Vec<Diagnostic>) -> Result<(), Failure> {
        let rendered = wrong.iter().map(|d| d.render(&self.shown, &self.bytes)).collect();
        if wrong.is_empty() { Ok(()) } else { Err(Failure::rendered(rendered)) }
    }
}
