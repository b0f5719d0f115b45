//! How a run ends.

use magneto::spec::beside;
use magneto::unfit::io_reason;
use std::fmt::Display;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// Exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done, and no gate failed.
    Passed = 0,
    /// A gate failed.
    Gate = 1,
    /// Something is wrong with the command line, a specification or another input.
    Usage = 2,
    /// Nothing failed, but something is not settled.
    Inconclusive = 3,
    /// The harness of the implementation under test broke.
    Harness = 4,
    /// A bug in this program.
    Bug = 70,
    /// The system gave no more memory, or no more threads.
    Memory = 71,
    /// Stopped by SIGINT, SIGTERM or SIGHUP; what was done is saved.
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// Why a command could not do what it was asked.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    /// Complete messages: `error: …` with excerpt and hint, line ends included.
    pub(crate) messages: Vec<String>,
}

impl Failure {
    /// Something wrong that is no place in a file.
    pub(crate) fn usage(message: impl Display) -> Self {
        Failure { exit: Exit::Usage, messages: vec![format!("error: {message}\n")] }
    }

    /// The same with a hint.
    pub(crate) fn usage_hint(message: impl Display, hint: impl Display) -> Self {
        Failure { exit: Exit::Usage, messages: vec![format!("error: {message}\nhint: {hint}\n")] }
    }

    /// That a file cannot be read; where there is none, what is there of files that end in one of `extensions`.
    pub(crate) fn unread(path: &Path, e: &std::io::Error, extensions: &[&str]) -> Self {
        let message = format!("cannot read {}: {}", path.display(), io_reason(e));
        match e.kind() {
            std::io::ErrorKind::NotFound => Failure::usage_hint(message, beside(path, extensions)),
            _ => Failure::usage(message),
        }
    }

    /// Its messages as a part of another one.
    pub(crate) fn why(&self) -> String {
        self.messages.concat().trim().trim_start_matches("error: ").to_owned()
    }

    /// Messages that are complete.
    pub(crate) fn rendered(messages: Vec<String>) -> Self {
        Failure { exit: Exit::Usage, messages }
    }
}

impl From<magneto::record::store::StoreError> for Failure {
    fn from(e: magneto::record::store::StoreError) -> Self {
        match e.hint() {
            Some(hint) => Failure::usage_hint(&e, hint),
            None => Failure::usage(&e),
        }
    }
}

impl From<magneto::record::store::Refusal> for Failure {
    fn from(e: magneto::record::store::Refusal) -> Self {
        Failure::usage_hint(&e, e.hint)
    }
}

impl From<magneto::record::ReadError> for Failure {
    fn from(e: magneto::record::ReadError) -> Self {
        Failure::usage(e.to_string())
    }
}

/// A panic is a bug: one line that asks to report it, and exit code 70 whatever thread it was in.
pub(crate) fn install_panic_hook() {
    std::panic::set_hook(Box::new(|info| {
        super::heartbeat::end();
        std::process::exit(tell_panic(info) as i32);
    }));
}

/// A panic is still a bug that one line tells of, and ends nothing but the work that it is in: for a program that others rely
/// on to stay.
pub(crate) fn panics_end_nothing() {
    std::panic::set_hook(Box::new(|info| {
        tell_panic(info);
    }));
}

/// Tells of a panic on standard error, and how a program ends that ends by it.
fn tell_panic(info: &std::panic::PanicHookInfo<'_>) -> Exit {
    let payload = info.payload();
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message").replace('\n', " ");
    // So std says that the system gives no memory for a thread's stack or for the one of its signals, or no more threads.
    if ["failed to spawn thread", "failed to allocate an alternative stack"].iter().any(|s| text.starts_with(s)) {
        let _ = writeln!(std::io::stderr(), "error: out of memory: {text}");
        return Exit::Memory;
    }
    let at = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
    let version = env!("CARGO_PKG_VERSION");
    let _ = writeln!(
        std::io::stderr(),
        "error: a bug in magneto {version}{at}: {text}; please report it, with the command and the specification"
    );
    Exit::Bug
}
