//! Kinds of implementations: how options and `magneto.toml` name one, how it is made ready to be run, and what its answers rest
//! on. A kind is a file below this one and an entry in [`KINDS`]: flags, keys and messages follow.

mod exec;
mod library;
mod octave;
mod python;
mod source;

pub use python::PYTHON_RULES;

use super::adapter::ClaimedCall;
use super::foundation::Foundation;
use super::pipe::PipeProgram;
use super::prepare::{NotReady, Preparation, PreparedTarget};
use super::{RunRecord, hash_of};
use crate::spec::{ResultPlace, Spec, beside};
use crate::unfit::Unfit;
use std::ffi::OsString;
use std::fmt;
use std::path::Path;

/// All kinds, in the order in which people read them.
pub static KINDS: [&dyn ImplementationKind; 6] =
    [&source::C, &source::FORTRAN, &library::Library, &python::Python, &octave::Octave, &exec::Exec];

/// The option that says how a function is called.
pub const SIGNATURE_OPTION: &str = "signature";

/// A kind of implementation.
pub trait ImplementationKind: fmt::Debug + Sync {
    /// The option, the key in `magneto.toml` and the `kind` of a record, such as `c-source`.
    fn key(&self) -> &'static str;

    /// What the option takes, in capitals.
    fn value_name(&self) -> &'static str {
        "FILE"
    }

    /// What the option names, for its help.
    fn help(&self) -> &'static str;

    /// How such an implementation is run, for the help of the commands that run it: a paragraph.
    fn notes(&self) -> &'static str;

    /// The option that names the function, unless the option of the kind names all.
    fn function_option(&self) -> Option<FunctionOption> {
        None
    }

    /// Whether `--signature` may say how the function is called.
    fn takes_signature(&self) -> bool {
        false
    }

    /// Whether its process tells when it is ready to answer.
    fn says_ready(&self) -> bool {
        true
    }

    /// A text that stands in what the option takes, such as the name of a specification.
    fn quote_name(&self, name: &str) -> String {
        name.to_owned()
    }

    /// What the option takes, as it is to be written in the current folder where it was written in another one. Default: a path.
    fn seen_from(&self, folder: &Path, text: String) -> String {
        path_seen_from(folder, &text)
    }

    /// Takes what the option named as it is meant, or says why it cannot be meant. `option` named it.
    fn settle_name(&self, option: &str, target: &mut UnderTest) -> Result<(), Unfit>;

    /// Compiles and sets up what is needed.
    ///
    /// # Errors
    /// Why the implementation cannot be run.
    fn prepare(&self, target: &UnderTest, preparation: &mut Preparation<'_>) -> Result<StartedBy, NotReady>;

    /// Adds to the record what only the running implementation could say. Default: nothing.
    fn complete_record(&self, _target: &UnderTest, _record: &mut RunRecord, _ready: &str) {}

    /// What the answers of an implementation that is started by `command` rest on.
    fn foundation(&self, command: &[OsString]) -> Foundation;
}

/// The option that names the function of an implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionOption {
    /// The option and key, such as `fn`.
    pub name: &'static str,
    /// Whether it has to be given; else the function has the name of the file.
    pub is_required: bool,
}

/// What starts an implementation.
pub struct StartedBy {
    /// The program with its arguments.
    pub command: Vec<OsString>,
    /// What the program is called where it cannot be started.
    pub name: String,
}

impl From<Vec<OsString>> for StartedBy {
    fn from(command: Vec<OsString>) -> Self {
        StartedBy { command, name: "the program".to_owned() }
    }
}

/// The implementation under test.
#[derive(Clone, Debug)]
pub struct UnderTest {
    /// What it is.
    pub kind: &'static dyn ImplementationKind,
    /// What the option of its kind names: a source file, a library, a module, a command.
    pub source: OsString,
    /// The function; of C++ with its namespaces and, where it takes that to tell it from others, the arguments of its template
    /// or the types of its parameters; of a Fortran module with that and `::` before it where several have its name. Empty for
    /// a command.
    pub function: String,
    /// How it is called, if that is said; else as its debug information has it, or as fits the specification.
    pub signature: Option<ClaimedCall>,
}

impl UnderTest {
    /// A function of a C file, or of a C++ file where its name says so.
    #[must_use]
    pub fn of_c_source(source: &Path, function: &str) -> Self {
        UnderTest { kind: &source::C, source: source.into(), function: function.to_owned(), signature: None }
    }

    /// Takes what `option` named as the kind means it: a module and a function in one text are told apart, for instance.
    ///
    /// # Errors
    /// What cannot be meant, as where there is no such file.
    pub fn settle_name(mut self, option: &str) -> Result<Self, Unfit> {
        self.kind.settle_name(option, &mut self)?;
        Ok(self)
    }

    /// Compiles and sets up what is needed. `this` is the program that knows [`super::CALL`].
    ///
    /// # Errors
    /// Why the implementation cannot be run.
    pub fn prepare(&self, spec: &Spec, this: &Path) -> Result<PreparedTarget, NotReady> {
        let mut preparation = Preparation::new(spec, this);
        preparation.record.add("kind", self.kind.key());
        let StartedBy { command, name } = self.kind.prepare(self, &mut preparation)?;
        let says_ready = self.kind.says_ready();
        // Of what others answer only a program that speaks the protocol itself leaves the choice.
        let result = if says_ready { ResultPlace::default() } else { spec.result };
        let program = PipeProgram { command, name, says_ready, result };
        Ok(preparation.finish(program))
    }

    /// Adds to the record what only the running implementation could say.
    pub fn complete_record(&self, record: &mut RunRecord, ready: &str) {
        self.kind.complete_record(self, record, ready);
    }

    fn path(&self) -> &Path {
        Path::new(&self.source)
    }

    /// Records the file that is named, and what it holds.
    fn record_source(&self, record: &mut RunRecord) {
        record.add("source", self.path().display().to_string());
        record.add("source_sha256", hash_of(self.path()).unwrap_or_default());
    }
}

/// The kind of a key.
#[must_use]
pub fn kind_of_key(key: &str) -> Option<&'static dyn ImplementationKind> {
    KINDS.into_iter().find(|kind| kind.key() == key)
}

/// The options that name the function of an implementation, each once.
pub fn names_of_function_options() -> impl Iterator<Item = &'static str> + Clone {
    let name = |kind: &dyn ImplementationKind| kind.function_option().map(|option| option.name);
    let is_first = move |k: usize| KINDS[..k].iter().all(|earlier| name(*earlier) != name(KINDS[k]));
    (0..KINDS.len()).filter(move |k| is_first(*k)).filter_map(move |k| name(KINDS[k]))
}

/// The options of some kinds, for people: "--lib or --exec".
#[must_use]
pub fn listed_options<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    let options: Vec<String> = keys.map(|key| format!("--{key}")).collect();
    match options.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A path from `folder` as one from the current folder where it is below that: what is recorded does not depend on where a
/// project lies.
#[must_use]
pub fn path_seen_from(folder: &Path, path: &str) -> String {
    let whole = folder.join(path);
    let here = std::env::current_dir().unwrap_or_default();
    whole.strip_prefix(here).unwrap_or(&whole).to_string_lossy().into_owned()
}

/// That the file that an option names is there; a file of these `extensions` is meant.
fn require_file(option: &str, path: &Path, extensions: &[&str]) -> Result<(), Unfit> {
    if path.is_file() {
        return Ok(());
    }
    let shown = path.display();
    if path.exists() {
        let kind = if path.is_dir() { "a folder" } else { "no regular file" };
        return Err(format!("--{option}: {shown} is {kind}").into());
    }
    Err(Unfit { message: format!("--{option}: there is no file {shown}"), hint: Some(beside(path, extensions)) })
}
