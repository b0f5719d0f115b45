//! What native programs say of code, on a command line.

use super::code;
use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command};
use magneto::code::compile::is_module;
use magneto::code::native::{Native, NativeError};
use magneto::code::program::Program;
use magneto::halt;
use magneto::reach::attack::AttackError;

/// A command with the flags that insist on native programs or do without.
pub(crate) fn with_native(command: Command) -> Command {
    command
        .arg(Arg::new("native").long("native").action(ArgAction::SetTrue).conflicts_with("no-native").help(
            "It is an error if no native program can be made",
        ))
        .arg(Arg::new("no-native").long("no-native").action(ArgAction::SetTrue).help(
            "Let the interpreter alone say what the code does. Otherwise C and C++ is compiled with `cc -O0 --coverage` as well \
             where that is there, every input is replayed and results and gcov's branches are compared (exit code 1 where \
             something differs), and calls that are made up try to take what is called infeasible",
        ))
}

/// The native program of a function; none where there is none and none is asked for.
pub(crate) fn build(matches: &ArgMatches, program: &Program, output: &Output) -> Result<Option<Native>, Failure> {
    let sources = code::paths(matches, "code");
    let insists = matches.get_flag("native");
    if matches.get_flag("no-native") || is_module(&sources) && !insists || halt::requested() {
        return Ok(None);
    }
    let native = Native::build(&[program], &sources, &code::compiler_flags(matches)?, true);
    answer(matches, native.map_err(AttackError::Native), output)
}

/// What a native program came to; none where it does not answer and none is asked for. A contradiction is a bug.
pub(crate) fn answer<T>(
    matches: &ArgMatches,
    answer: Result<T, AttackError>,
    output: &Output,
) -> Result<Option<T>, Failure> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(AttackError::Contradicted(c)) => Err(Failure {
            exit: Exit::Bug,
            messages: vec![format!(
                "error: a bug in magneto: {c}; please report it, with the code\nhint: what a native program does where C leaves \
                 it open, and what depends on its sizes (`long`, pointers), is no bug; --no-native does without such a program\n"
            )],
        }),
        Err(AttackError::Native(e)) if matches.get_flag("native") => Err(Failure::usage(format!("--native: {e}"))),
        Err(AttackError::Native(e)) => {
            output.note(format!("the interpreter alone says what the code does: {}", first(&e)));
            Ok(None)
        }
    }
}

/// Why there is no native program, without what the compiler said in full.
fn first(e: &NativeError) -> String {
    e.to_string().lines().take(4).collect::<Vec<_>>().join("\n")
}
