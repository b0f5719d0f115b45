//! What says on a command line what an implementation is.

use crate::cli::exit::{Exit, Failure};
use crate::cli::specs::Loaded;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use magneto::harness::{
    ClaimedCall, HarnessFault, ImplementationKind, KINDS, NotReady, SIGNATURE_OPTION, UnderTest, listed_options,
    names_of_function_options,
};
use magneto::options::{ImplementationEntry, options_of_implementations};
use magneto::report::check::text;
use magneto::unfit::Unfit;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What the implementation is: one of a group, with what options say, by their names.
#[derive(Clone, Default)]
pub(in crate::cli) struct Implementation {
    pub(super) said: BTreeMap<&'static str, String>,
}

/// The kinds whose functions an option names.
fn kinds_named_by(option: &str) -> impl Iterator<Item = &'static dyn ImplementationKind> {
    KINDS.into_iter().filter(move |kind| kind.function_option().is_some_and(|own| own.name == option))
}

impl Args for Implementation {
    fn augment_args(command: Command) -> Command {
        let text = |name: &'static str, value: &'static str| {
            Arg::new(name).long(name).value_name(value).allow_hyphen_values(true)
        };
        let command = KINDS.into_iter().fold(command, |command, kind| {
            let required = kind.function_option().filter(|option| option.is_required).map(|option| option.name);
            let option = text(kind.key(), kind.value_name()).help(kind.help()).group(GROUP);
            command.arg(required.into_iter().fold(option, |option, needed| option.requires(needed)))
        });
        let command = names_of_function_options().fold(command, |command, name| {
            let of = listed_options(kinds_named_by(name).map(|kind| kind.key()));
            let is_optional =
                |kind: &&dyn ImplementationKind| kind.function_option().is_some_and(|own| !own.is_required);
            let unnamed = listed_options(kinds_named_by(name).filter(is_optional).map(|kind| kind.key()));
            let default = match unnamed.is_empty() {
                true => String::new(),
                false => format!(". Default: of {unnamed} that with the name of the file"),
            };
            command.arg(text(name, "NAME").help(format!("The function of {of}{default}")))
        });
        let without = KINDS.into_iter().filter(|kind| !kind.takes_signature()).map(|kind| kind.key());
        command.arg(text(SIGNATURE_OPTION, "HOW").conflicts_with_all(without).help(
            "The signature of the function, such as f64-array, or its declaration in C. Default: what the library's debug \
             information says, else f32 if all formats are, else f64",
        ))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Implementation::augment_args(command)
    }
}

impl FromArgMatches for Implementation {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut implementation = Implementation::default();
        implementation.update_from_arg_matches(matches)?;
        Ok(implementation)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let names = options_of_implementations();
        self.said.extend(names.filter_map(|name| Some((name, matches.get_one::<String>(name)?.clone()))));
        Ok(())
    }
}

/// The options of which one says what the implementation is.
pub(in crate::cli) const GROUP: &str = "implementation";

/// That what is said of an implementation's signature fits a specification.
pub(in crate::cli) fn fits(target: Option<&UnderTest>, loaded: &Loaded) -> Result<(), Failure> {
    let Some(UnderTest { signature: Some(ClaimedCall::Form(s)), .. }) = target else { return Ok(()) };
    let spec = &loaded.spec;
    s.for_result(spec.result)
        .and_then(|s| s.fits(spec))
        .map_err(|e| Failure::usage_hint(e, "or choose another --signature"))
}

impl Implementation {
    /// The same as an entry of a magneto.toml in the current folder, for any specification, with its tests if they are given.
    pub(in crate::cli) fn entry(&self, tests: Option<&Path>) -> ImplementationEntry {
        let tests = tests.map(|path| ("tests", path.to_string_lossy().into_owned()));
        ImplementationEntry::of_any(PathBuf::new(), tests.into_iter().chain(self.said.clone()).collect())
    }

    /// The implementation; none for results from elsewhere.
    pub(in crate::cli) fn target(&self) -> Result<Option<UnderTest>, Failure> {
        let kind = KINDS.into_iter().find(|kind| self.said.contains_key(kind.key()));
        let own = kind.and_then(|kind| kind.function_option()).map(|option| option.name);
        for name in names_of_function_options() {
            if self.said.contains_key(name) && own != Some(name) {
                let of = listed_options(kinds_named_by(name).map(|kind| kind.key()));
                let hint = match (own, kind) {
                    (Some(own), _) => format!("name the function by --{own}"),
                    (None, Some(kind)) => format!("what --{} takes names the function", kind.key()),
                    (None, None) => format!("give {of}, too"),
                };
                return Err(Failure::usage_hint(format!("--{name} is for {of}"), hint));
            }
        }
        let signature = self.said.get(SIGNATURE_OPTION).map(|s| s.parse::<ClaimedCall>()).transpose();
        let signature = signature.map_err(|e| Failure::usage(format!("--{SIGNATURE_OPTION}: {e}")))?;
        let Some(kind) = kind else { return Ok(None) };
        let function = own.and_then(|name| self.said.get(name)).cloned().unwrap_or_default();
        let target = UnderTest { kind, source: self.said[kind.key()].clone().into(), function, signature };
        target.settle_name(kind.key()).map(Some).map_err(unfit)
    }
}

/// What is wrong with what options name, as a failure.
pub(in crate::cli) fn unfit(unfit: Unfit) -> Failure {
    match unfit {
        Unfit { message, hint: Some(hint) } => Failure::usage_hint(message, hint),
        Unfit { message, hint: None } => Failure::usage(message),
    }
}

/// That an implementation cannot be run, as a failure.
pub(in crate::cli) fn not_ready(not: NotReady) -> Failure {
    match not {
        NotReady::Misnamed(why) => unfit(why),
        NotReady::Broken(fault) => broke(&fault),
    }
}

/// That the harness broke, as a failure.
pub(in crate::cli) fn broke(b: &HarnessFault) -> Failure {
    let text = text::broken(b);
    Failure {
        exit: Exit::Harness,
        messages: vec![format!("error: {}", text.trim_start_matches("the harness broke: "))],
    }
}
