//! What a `magneto.toml` says of a command in its own section, such as `[cover]`: defaults of its options.

use super::exit::Failure;
use super::flags::Toml;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use magneto::options::{COMMANDS, CommandOption};
use magneto::text::Diagnostic;

/// The whole command line with what `magneto.toml` says as the defaults of the command that `matches` has; none where it
/// says nothing of that.
pub(super) fn command(matches: &ArgMatches) -> Result<Option<Command>, Failure> {
    let Some((name, matches)) = matches.subcommand().filter(|(name, _)| COMMANDS.contains(name)) else {
        return Ok(None);
    };
    let Some(toml) = Toml::nearest()? else { return Ok(None) };
    let all = &toml.settings.commands;
    toml.accept(all.iter().filter_map(misfit).collect())?;
    // Once it is built it has the options of all commands as well, which others may exclude.
    let mut built = super::command();
    built.build();
    let Some(whole) = built.find_subcommand(name) else { return Ok(None) };
    let is_own = |option: &&CommandOption| option.command == name && !is_excluded(whole, matches, option);
    let own: Vec<&CommandOption> = all.iter().filter(is_own).collect();
    if own.is_empty() {
        return Ok(None);
    }
    let set = |command: Command| own.iter().fold(command, |command, option| with_default(command, option));
    Ok(Some(super::command().mut_subcommand(name, set)))
}

/// Whether the command line has an option that excludes this one.
fn is_excluded(command: &Command, matches: &ArgMatches, option: &CommandOption) -> bool {
    let Some(arg) = find(command, option) else { return false };
    let excludes = |a: &Arg, b: &Arg| command.get_arg_conflicts_with(a).iter().any(|c| c.get_id() == b.get_id());
    let is_given = |a: &&Arg| {
        matches.try_contains_id(a.get_id().as_str()).is_ok()
            && matches.value_source(a.get_id().as_str()) == Some(ValueSource::CommandLine)
    };
    command.get_arguments().filter(is_given).any(|given| excludes(given, arg) || excludes(arg, given))
}

fn with_default(command: Command, option: &CommandOption) -> Command {
    let Some(arg) = find(&command, option) else { return command };
    // clap keeps them to the end of the program.
    let values: Vec<&'static str> = option.values.iter().map(|value| &*value.clone().leak()).collect();
    let id = arg.get_id().clone();
    command.mut_arg(id, |arg| arg.default_values(values))
}

fn find<'a>(command: &'a Command, option: &CommandOption) -> Option<&'a Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(option.name))
}

/// What is wrong with a value, if something is.
fn misfit(option: &CommandOption) -> Option<Diagnostic> {
    let root = super::command();
    let arg = find(root.find_subcommand(option.command)?, option)?;
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let is_list = matches!(arg.get_action(), ArgAction::Append);
    let why = match &option.values[..] {
        [value] if is_switch => {
            (!["true", "false"].contains(&value.as_str())).then(|| format!("expected true or false, not `{value}`"))
        }
        [_] => None,
        _ if is_list => None,
        _ => Some("expected one value".to_owned()),
    };
    let why = why.or_else(|| option.values.iter().filter(|_| !is_switch).find_map(|value| refused(option, value)));
    Some(Diagnostic::semantic(option.span, format!("`{}`: {}", option.name, why?)))
}

/// Why an option of a command does not take a value, if it does not.
fn refused(option: &CommandOption, value: &str) -> Option<String> {
    let flag = format!("--{}={value}", option.name);
    let e = super::command().try_get_matches_from(["magneto", option.command, &flag]).err()?;
    // Nothing else of the command line is there.
    let is_of_value = matches!(e.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation);
    let text = e.to_string();
    is_of_value.then(|| text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
}
