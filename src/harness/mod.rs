//! Implementations under test: how each kind is run, what it answers, the verdicts, and what failures look like.
//!
//! Every implementation runs in a process of its own behind the pipe protocol ([`pipe`]), so that a crash, a hang or a
//! trap is a verdict. A line that cannot be read, or one too many, is no verdict on the function: the harness around it
//! is broken, and the test is named.

pub mod answer;
pub mod batch;
pub mod cases;
pub mod causes;
pub mod cdylib;
pub mod facts;
pub mod foundation;
pub mod function;
pub mod inside;
pub mod judge;
pub mod pipe;
mod process;
pub mod results;
pub mod rounded;
pub mod signature;

pub use answer::{Answer, GivenAnswer};
pub use cases::{Case, cases};
pub use causes::{Causes, Hypothesis, SlightlyOff};
pub use facts::Fact;
pub use foundation::Foundation;
pub use judge::{Judge, TestOutcome, Verdict};
pub use pipe::{PipeProgram, PipeRun, run};
pub use signature::Signature;

use crate::cc::Prototype;
use crate::cc::library::{CompiledLibrary, LibraryError, Recipe};
use crate::halt;
use crate::mutate::{Change, Mutant};
use crate::num::float::decimal;
use crate::spec::{OutOfRange, Spec};
use crate::suite::Expectation;
use crate::threads::Threads;
use crate::tool::Scratch;
use causes::Observation;
use sha2::{Digest as _, Sha256};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The implementation under test.
#[derive(Clone, Debug)]
pub enum UnderTest {
    /// A command for the shell, which speaks the pipe protocol.
    Exec(String),
    /// A function of a shared library.
    Lib {
        /// The library: a path, or a name that the system's loader finds.
        library: PathBuf,
        /// The function.
        symbol: String,
        /// Its signature; none for the one that fits the specification.
        signature: Option<Signature>,
    },
    /// A C function.
    CSource {
        /// The source file.
        source: PathBuf,
        /// The function.
        function: String,
        /// Its signature; none for the one that fits the specification.
        signature: Option<Signature>,
    },
    /// A Python function.
    Python {
        /// The module, or the path of a file that ends in `.py`.
        module: String,
        /// The function, with dots for what is inside something.
        function: String,
    },
}

/// Bounds of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLimits {
    /// The most that one test may take. Default: 10 s.
    pub answer: Duration,
    /// The most that starting may take; the first answer of a process of [`UnderTest::Exec`] may take as long, since
    /// nothing tells when such a process has started. Default: 10 s.
    pub start: Duration,
    /// How many times the process may be started again. Default: 20.
    pub restarts: u32,
}

impl Default for RunLimits {
    fn default() -> Self {
        RunLimits { answer: Duration::from_secs(10), start: Duration::from_secs(10), restarts: 20 }
    }
}

/// Why the harness, not the function, failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarnessFault {
    /// The id of the test at which it did, if it was one.
    pub test: Option<String>,
    /// Why.
    pub why: String,
    /// What was written to standard error, the last lines.
    pub errors: Vec<String>,
}

/// How an implementation was run, for the record: names with values.
#[derive(Clone, Debug, Default)]
pub struct RunRecord(pub Vec<(String, String)>);

impl RunRecord {
    /// Whether the function returns a status, by which it refuses.
    fn has_status(&self) -> bool {
        self.0.iter().any(|(name, value)| name == "signature" && value.ends_with("-status"))
    }

    fn add(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.0.push((name.to_owned(), value));
        }
    }
}

/// An implementation that is ready to be started.
pub struct PreparedTarget {
    /// The program.
    pub program: PipeProgram,
    /// How it is made and run.
    pub record: RunRecord,
    /// What is worth knowing before it runs.
    pub notes: Vec<String>,
    /// Where a compiled library is, as long as it is needed.
    _folder: Option<Scratch>,
}

/// The hidden command by which this program calls a function of a shared library in a process of its own: its name, the
/// library, the function, the signature.
pub const CALL: &str = "call-library";

/// How a Python function is called with the inputs of a specification, and what of it is a result, a refusal or a crash, as
/// the text of a Python module.
pub const PYTHON_RULES: &str = include_str!("calling.py");
/// The Python side of the protocol.
const DRIVER: &str = concat!(include_str!("calling.py"), "\n", include_str!("driver.py"));

impl UnderTest {
    /// Compile and set up what is needed. `this` is the program that knows [`CALL`].
    ///
    /// # Errors
    /// Why the implementation cannot be run.
    pub fn prepare(&self, spec: &Spec, this: &Path) -> Result<PreparedTarget, HarnessFault> {
        let mut record = RunRecord::default();
        let mut notes = Vec::new();
        let text = |s: &str| OsString::from(s);
        let (command, folder) = match self {
            UnderTest::Exec(command) => {
                record.add("kind", "exec");
                record.add("command", command);
                (vec![text("sh"), text("-c"), text(command)], None)
            }
            UnderTest::Lib { library, symbol, signature } => {
                record.add("kind", "lib");
                record.add("library", library.display().to_string());
                // A name without a folder would be searched for by the loader only.
                let path = std::fs::canonicalize(library).unwrap_or_else(|_| library.clone());
                let call = Call { library: &path, symbol, signature: *signature, shown: library, spec };
                (call.command(this, &mut record, &mut notes)?, None)
            }
            UnderTest::CSource { source, function, signature } => {
                record.add("kind", "c-source");
                record.add("source", source.display().to_string());
                record.add("source_sha256", hash_of(source).unwrap_or_default());
                let compiled = compile(source, &mut record)?;
                record.add("library_sha256", hash_of(&compiled.path).unwrap_or_default());
                let library = &compiled.path;
                let call = Call { library, symbol: function, signature: *signature, shown: source, spec };
                (call.command(this, &mut record, &mut notes)?, Some(compiled.folder))
            }
            UnderTest::Python { module, function } => {
                record.add("kind", "python");
                record.add("function", format!("{module}:{function}"));
                let python = python_variable().unwrap_or_else(|| "python3".to_owned());
                record.add("python", &python);
                let driver = format!("{DRIVER}\n\nmain()\n");
                let words = [&python, "-c", &driver, module, function];
                let inputs = spec.inputs.iter().map(|input| input.name.as_str());
                (words.into_iter().chain(inputs).map(text).collect(), None)
            }
        };
        let name = match self {
            UnderTest::Python { .. } => {
                let origin = if python_variable().is_some() { "of $PYTHON" } else { "($PYTHON names another)" };
                format!("the Python interpreter `{}` {origin}", command[0].display())
            }
            _ => "the program".to_owned(),
        };
        let says_ready = !matches!(self, UnderTest::Exec(_));
        Ok(PreparedTarget { program: PipeProgram { command, name, says_ready }, record, notes, _folder: folder })
    }

    /// Adds to the record what only the running implementation could say.
    pub fn complete(&self, record: &mut RunRecord, ready: &str) {
        match self {
            UnderTest::Exec(_) | UnderTest::CSource { .. } => {}
            UnderTest::Python { .. } => {
                let (version, path) = ready.split_once(' ').unwrap_or((ready, ""));
                record.add("python_version", version);
                record.add("source_sha256", hash_of(Path::new(path)).unwrap_or_default());
            }
            UnderTest::Lib { library, .. } => {
                // Where the system does not tell which file was loaded, a path still does.
                let file = if ready.is_empty() { library.clone() } else { PathBuf::from(ready) };
                if let Some(hash) = hash_of(&file) {
                    record.add("library_file", file.display().to_string());
                    record.add("library_sha256", hash);
                }
            }
        }
    }
}

/// So many answers are worth a thread: one takes from 5 us on.
const JUDGED: usize = 32;

/// Everything that a check found.
pub struct Checked {
    /// The tests.
    pub cases: Vec<Case>,
    /// What came back, and what happened beside it.
    pub run: PipeRun,
    /// What became of each test.
    pub outcomes: Vec<TestOutcome>,
    /// What the failures look like; the places are those in `mutants`.
    pub causes: Causes,
    /// What the results have in common.
    pub facts: Vec<Fact>,
    /// The mutants that the results were compared with.
    pub mutants: Vec<Mutant>,
    /// How the implementation was made and run.
    pub record: RunRecord,
}

/// How many tests had which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct VerdictTally {
    pub ok: usize,
    pub ko: usize,
    pub uncertain: usize,
    /// The harness broke.
    pub none: usize,
}

impl VerdictTally {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> usize {
        self.ok + self.ko + self.uncertain + self.none
    }
}

/// A function with a status refuses by that alone: the NaN of a call that says it went well is a result like any other.
fn deny_nan(cases: &[Case], answers: &[GivenAnswer], outcomes: &mut [TestOutcome]) {
    for ((case, given), outcome) in cases.iter().zip(answers).zip(outcomes) {
        if case.expectation == Expectation::OutOfRange(OutOfRange::Reject)
            && matches!(given.answer, Answer::Value(y) if y.is_nan())
        {
            outcome.verdict = Some(Verdict::Ko);
            "a status other than 0 is owed here".clone_into(&mut outcome.why);
        }
    }
}

/// Takes for a refusal, where one is owed, a result beside which `errno` was set to EDOM or ERANGE.
fn take_refusals(cases: &[Case], answers: &mut [GivenAnswer], has_status: bool) {
    for (case, given) in cases.iter().zip(answers) {
        let (Expectation::OutOfRange(OutOfRange::Reject), Answer::Value(y)) = (&case.expectation, &given.answer) else {
            continue;
        };
        let set = given.text.as_deref().and_then(answer::errno).map(|(_, name)| name.to_owned());
        if let Some(name) = set.filter(|_| !has_status) {
            given.answer = Answer::Reject(format!("errno {name}, with {}", decimal(*y)));
        }
    }
}

impl Checked {
    /// Judge what came back, and look for what the failures look like among the mutants. `cap` is the last precision
    /// of the ladder in bits, and threads judge side by side. Once the run, or this, is interrupted no error is measured any
    /// more.
    #[must_use]
    pub fn new(
        spec: &Spec,
        cases: Vec<Case>,
        (mut run, record): (PipeRun, RunRecord),
        mutants: Vec<Mutant>,
        (cap, threads): (u32, &Threads),
    ) -> Self {
        let judge = Judge::new(spec, cap);
        take_refusals(&cases, &mut run.answers, record.has_status());
        let judged: Vec<(&Case, &GivenAnswer)> = cases.iter().zip(&run.answers).collect();
        let mut outcomes = threads.side_by_side(JUDGED, &judged, |(c, g)| match run.interrupted || halt::requested() {
            // Who waits for the end has all verdicts at once.
            true => judge.judge_alone(&c.expectation, &g.answer),
            false => judge.judge(&c.input, &c.expectation, &g.answer),
        });
        if record.has_status() {
            deny_nan(&cases, &run.answers, &mut outcomes);
        }
        // Who never refuses an input, or need not, checks no range, and its results outside say nothing of the function.
        let refuses = outcomes.iter().any(|o| o.robustness && o.counts && o.verdict == Some(Verdict::Ok));
        let observed: Vec<Observation<'_>> = cases
            .iter()
            .zip(&run.answers)
            .zip(&outcomes)
            .filter(|((_, g), o)| {
                matches!(g.answer, Answer::Value(_) | Answer::Reject(_)) && (refuses || !o.robustness)
            })
            .map(|((case, given), o)| Observation { input: &case.input, answer: &given.answer, failed: o.fails() })
            .collect();
        let mut causes = causes::causes(spec, &mutants, &observed, cap);
        let facts = facts::facts(&run.answers, &outcomes, spec.result_format);
        // Every formula without a value there agrees with a refusal. Only a range tells refused inputs from others.
        if let Some(Fact::Refused(refused, all)) = facts.iter().find(|f| matches!(f, Fact::Refused(..))) {
            let is_range = |k: usize| matches!(mutants[k].change, Change::Range { .. });
            let telling = |h: &Hypothesis| matches!(h, Hypothesis::Mutant { first, .. } if is_range(*first));
            causes.list.retain(|c| refused < all && telling(&c.hypothesis));
        }
        drop(observed);
        run.interrupted |= halt::requested();
        Checked { cases, run, outcomes, causes, facts, mutants, record }
    }

    /// The verdicts of the tests inside the domain, or of those outside.
    #[must_use]
    pub fn tally(&self, robustness: bool) -> VerdictTally {
        let mut tally = VerdictTally::default();
        for outcome in self.outcomes.iter().filter(|o| o.robustness == robustness) {
            match outcome.verdict {
                Some(Verdict::Ok) => tally.ok += 1,
                Some(Verdict::Ko) => tally.ko += 1,
                Some(Verdict::Uncertain) => tally.uncertain += 1,
                None => tally.none += 1,
            }
        }
        tally
    }

    /// The worst verdict that counts; none where the run did not come to its end or the harness broke.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let counted = |wanted: Verdict| self.outcomes.iter().any(|o| o.counts && o.verdict == Some(wanted));
        let worst = [Verdict::Ko, Verdict::Uncertain].into_iter().find(|v| counted(*v)).unwrap_or(Verdict::Ok);
        (!self.run.interrupted && !self.is_broken()).then_some(worst)
    }

    /// Whether the harness broke, at one test or as a whole.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.run.broken.is_some() || self.outcomes.iter().any(|o| o.verdict.is_none())
    }
}

/// Compiles a C file to a library, and records how.
fn compile(source: &Path, record: &mut RunRecord) -> Result<CompiledLibrary, HarnessFault> {
    let recipe = Recipe::of_environment();
    let line = recipe.line(source);
    record.add("compile", &line);
    record.add("cc_version", answer::clip(&recipe.version(), 200));
    let broken = |why: String, errors: Vec<String>| HarnessFault { test: None, why, errors };
    recipe.compile(source).map_err(|e| match e {
        LibraryError::Folder(e) => broken(format!("cannot make a temporary folder: {e}"), Vec::new()),
        LibraryError::Tool(e) => broken(format!("cannot compile with `{}`: {e}", recipe.compiler()), Vec::new()),
        LibraryError::Refused(said) => {
            let errors = said.lines().take(20).map(|l| answer::clip(l, 200)).collect();
            broken(format!("{} does not compile: {line}", source.display()), errors)
        }
    })
}

/// A function of a library that is to be called.
struct Call<'a> {
    library: &'a Path,
    symbol: &'a str,
    /// What the user says of it.
    signature: Option<Signature>,
    /// The file that the user named.
    shown: &'a Path,
    spec: &'a Spec,
}

impl Call<'_> {
    /// The command that calls it.
    fn command(
        &self,
        this: &Path,
        record: &mut RunRecord,
        notes: &mut Vec<String>,
    ) -> Result<Vec<OsString>, HarnessFault> {
        let prototype = Prototype::read(self.library, self.symbol);
        let (inputs, shown) = (self.spec.inputs.len(), self.shown.display());
        let source = match (&prototype, self.signature) {
            (Some(_), _) => "debug information",
            (None, Some(_)) => "--signature",
            (None, None) => "assumed",
        };
        let signature = self.choose(prototype.as_ref())?;
        let declaration = signature.declaration(self.symbol, inputs);
        if source == "assumed" {
            notes.push(format!(
                "{shown} does not say what `{}` takes and returns: `{declaration}` is assumed. Say it by --signature, or \
                 build with debug information (-g)",
                self.symbol
            ));
        }
        record.add("function", declaration);
        record.add("signature", signature.to_string());
        record.add("signature_from", source);
        Ok(vec![this.into(), CALL.into(), self.library.into(), self.symbol.into(), signature.to_string().into()])
    }

    /// The signature that the library's debug information and the user's claim leave.
    fn choose(&self, prototype: Option<&Prototype>) -> Result<Signature, HarnessFault> {
        let (spec, inputs) = (self.spec, self.spec.inputs.len());
        let broken = |why: String| HarnessFault { test: None, why, errors: Vec::new() };
        let shape = |s: Signature| format!("`{}`", s.declaration(self.symbol, inputs));
        let signature = match (prototype, self.signature) {
            (None, claimed) => claimed.unwrap_or_else(|| Signature::of(spec)),
            (Some(p), Some(claimed)) if claimed.is_of(p, inputs) => claimed,
            (Some(p), claimed) => {
                let found = format!("{} has `{}`", self.shown.display(), p.declaration(self.symbol));
                match (claimed, Signature::of_prototype(p, inputs)) {
                    (None, Some(signature)) => signature,
                    (Some(claimed), fitting) => {
                        let hint = fitting.map_or(String::new(), |s| format!("; --signature {s} is what it has"));
                        let shape = shape(claimed);
                        return Err(broken(format!(
                            "{found}, which is not the {shape} of --signature {claimed}{hint}"
                        )));
                    }
                    (None, None) => {
                        let (shape, some) = (shape(Signature::of(spec)), if inputs == 1 { "input" } else { "inputs" });
                        return Err(broken(format!(
                            "{found}, which cannot be called with the {inputs} {some} of the specification: {shape} or \
                             another form of --signature is expected"
                        )));
                    }
                }
            }
        };
        signature.fits(spec).map_err(|e| broken(e.to_string()))?;
        Ok(signature)
    }
}

/// The Python interpreter that the environment names.
fn python_variable() -> Option<String> {
    std::env::var("PYTHON").ok().filter(|p| !p.trim().is_empty())
}

/// The SHA-256 of a file's contents as 64 hexadecimal digits.
fn hash_of(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect())
}
