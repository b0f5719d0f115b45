//! Flags to options to library to exit code; one file a command.

mod accept;
mod accepted;
#[cfg(feature = "plots")]
mod bench;
mod call_library;
mod check;
mod closed;
mod code;
mod completions;
mod configured;
mod cover;
mod destination;
mod diff;
mod eval;
mod exit;
mod explain;
mod export;
mod flags;
mod gate;
mod gen_command;
mod heartbeat;
mod help;
mod interrupt;
mod layout;
mod lint;
mod lsp;
mod man;
mod memory;
mod merge;
mod mutants;
mod native;
mod new;
mod no_run;
mod operators;
mod oracle;
mod output;
mod progress;
mod reach;
mod record;
mod report;
mod schema;
mod self_test;
mod shards;
mod solve;
mod sources;
mod specs;
mod verify;
mod version;
mod workers;
mod worst;
mod written;

use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use exit::{Exit, Failure};
use magneto::harness::CALL;
use magneto::text::nearest;
use output::{Common, Output};
use std::io::Write as _;
use std::process::ExitCode;

/// One command: how its flags look and what it does.
struct Entry {
    name: &'static str,
    command: fn() -> Command,
    run: fn(&ArgMatches, &Output) -> Result<Exit, Failure>,
    /// Whether it may end at any time, see [`interrupt::may_leave`].
    leaves: bool,
}

const COMMANDS: &[Entry] = &[
    Entry { name: "new", command: new::command, run: new::run, leaves: true },
    Entry { name: "gen", command: gen_command::command, run: gen_command::run, leaves: false },
    Entry { name: "eval", command: eval::command, run: eval::run, leaves: false },
    Entry { name: "mutants", command: mutants::command, run: mutants::run, leaves: true },
    Entry { name: "oracle", command: oracle::command, run: oracle::run, leaves: true },
    Entry { name: "operators", command: operators::command, run: operators::run, leaves: true },
    Entry { name: "explain", command: explain::command, run: explain::run, leaves: true },
    Entry { name: "accept", command: accept::command, run: accept::run, leaves: false },
    Entry { name: "export", command: export::command, run: export::run, leaves: true },
    Entry { name: "report", command: report::command, run: report::run, leaves: true },
    Entry { name: "merge", command: merge::command, run: merge::run, leaves: true },
    Entry { name: "diff", command: diff::command, run: diff::run, leaves: true },
    Entry { name: "verify", command: verify::command, run: verify::run, leaves: true },
    Entry { name: "lint", command: lint::command, run: lint::run, leaves: true },
    Entry { name: "check", command: check::command, run: check::run, leaves: false },
    Entry { name: "schema", command: schema::command, run: schema::run, leaves: true },
    Entry { name: "worst", command: worst::command, run: worst::run, leaves: false },
    Entry { name: "cover", command: cover::command, run: cover::run, leaves: false },
    Entry { name: "reach", command: reach::command, run: reach::run, leaves: false },
    Entry { name: "solve", command: solve::command, run: solve::run, leaves: false },
    #[cfg(feature = "plots")]
    Entry { name: "bench", command: bench::command, run: bench::run, leaves: false },
    Entry { name: "self-test", command: self_test::command, run: self_test::run, leaves: true },
    Entry { name: "lsp", command: lsp::command, run: lsp::run, leaves: true },
    Entry { name: "completions", command: completions::command, run: completions::run, leaves: true },
    Entry { name: "man", command: man::command, run: man::run, leaves: true },
];

/// What `check` runs itself as; no command for people.
const HIDDEN: Entry = Entry { name: CALL, command: call_library::command, run: call_library::run, leaves: true };

const EXIT_CODES: &str = "Exit codes: 0 passed; 1 a gate failed; 2 usage, specification or input error; 3 \
    inconclusive only; 4 the implementation's harness broke; 70 a bug in magneto; 71 out of memory; 130 interrupted, partial results saved

`magneto --version --verbose` says from what and for what this program was built.";

/// The whole command line.
fn command() -> Command {
    let root = Common::augment_args(Command::new("magneto"))
        .version(env!("CARGO_PKG_VERSION"))
        .about("Tests for numerical programs from a specification of what they compute, by mutation")
        .after_help(EXIT_CODES)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .max_term_width(100);
    COMMANDS.iter().fold(root, |root, entry| root.subcommand(help::with_help((entry.command)())))
}

/// Everything after the check of the CPU, which must not get mixed up with it.
#[inline(never)]
pub(crate) fn main() -> ExitCode {
    memory::take_over();
    exit::install_panic_hook();
    let early = output::color_of_arguments();
    if version::is_asked(std::env::args_os()) {
        let json = std::env::args_os().any(|a| a == "--json");
        return ended(version::run(&Output::plain(json)), &Output::plain(json));
    }
    let parse = |command: Command| {
        command
            .subcommand((HIDDEN.command)())
            .color(early.for_clap())
            .try_get_matches_from(written::placed(std::env::args_os()))
    };
    let matches = match parse(command()) {
        Ok(matches) => matches,
        Err(e) => return refused(e),
    };
    let output = match Common::from_arg_matches(&matches) {
        Ok(common) => Output::new(&common),
        Err(e) => e.exit(),
    };
    // With what magneto.toml says of the command as its defaults.
    let matches = match configured::command(&matches).map(|again| again.map(parse)) {
        Ok(None) => matches,
        Ok(Some(Ok(matches))) => matches,
        Ok(Some(Err(e))) => return refused(e),
        Err(failure) => {
            output.failure(&failure);
            return failure.exit.into();
        }
    };
    let Some((name, matches)) = matches.subcommand() else { return Exit::Usage.into() };
    let Some(entry) = COMMANDS.iter().chain([&HIDDEN]).find(|e| e.name == name) else { return Exit::Usage.into() };
    interrupt::listen();
    // `new` waits for answers, the language server and the hidden command for questions.
    if output.shows_progress() && !["new", "lsp", CALL].contains(&name) {
        heartbeat::begin(&format!("magneto {name}"));
    }
    let run = || (entry.run)(matches, &output);
    let result = if entry.leaves { interrupt::may_leave(run) } else { run() };
    heartbeat::end();
    ended(result, &output)
}

/// The exit code of a command that ended, which has told what it failed of.
fn ended(result: Result<Exit, Failure>, output: &Output) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            interrupt::exit(failure.exit).into()
        }
    }
}

/// Words that other tools have for what a command does.
const SYNONYMS: [(&str, &str); 9] = [
    ("generate", "gen"),
    ("init", "new"),
    ("create", "new"),
    ("test", "check"),
    ("run", "check"),
    ("score", "eval"),
    ("evaluate", "eval"),
    ("fuzz", "worst"),
    ("prove", "solve"),
];

/// The command that was meant by a word that is none.
fn meant(word: &str) -> Option<&'static str> {
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == word).map(|(_, name)| *name);
    synonym.or_else(|| nearest(word, COMMANDS.iter().map(|e| e.name)))
}

/// Says what clap has to say: help, or what is wrong with a command line.
fn refused(mut e: clap::Error) -> ExitCode {
    if let Some(ContextValue::String(name)) = e.get(ContextKind::InvalidSubcommand)
        && let Some(meant) = meant(name)
    {
        e.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant.to_owned()]));
    }
    let said = e.print().and_then(|()| std::io::stdout().flush());
    if e.use_stderr() {
        return Exit::Usage.into();
    }
    match output::written(said) {
        Ok(()) => Exit::Passed.into(),
        Err(failure) => {
            failure.messages.iter().for_each(|m| drop(std::io::stderr().write_all(m.as_bytes())));
            Exit::Usage.into()
        }
    }
}
