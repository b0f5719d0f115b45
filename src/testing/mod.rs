//! Checks of Rust functions against specifications, for tests: a function or a closure is called in the process of the test.
//!
//! ```
//! use magneto::testing::Demand;
//!
//! // In a `#[test]`:
//! let growth = Demand::new("x: [0,1] -> exp(x) - 1").rel_error(1e-12);
//! growth.assert(f64::exp_m1);
//!
//! // What `assert` would say of a function that loses digits near 0:
//! let report = growth.check(|x: f64| x.exp() - 1.0)?;
//! assert!(!report.is_ok());
//! assert!(report.summary().starts_with("KO: "));
//! assert!(report.text.contains("each operation rounded to binary64"));
//! # Ok::<(), magneto::testing::DemandError>(())
//! ```

mod function;
pub mod given;
mod report;

pub use function::{SliceOf, TestedFunction, TestedResult};
pub use given::{GivenSpec, ReadSpec, SpecMistake};
pub use report::{FunctionReport, SearchReport, exit, for_code};

use crate::floats::Format;
use crate::harness::batch::Caller;
use crate::harness::inside::{InProcess, InsideCheck, check, of_numbers};
use crate::harness::{self, Case, RunLimits, RunRecord};
use crate::infix::Notation;
use crate::options::{KNOBS, OptionOrigin, Settings};
use crate::record::cache::{Cache, CacheKey, tests_of};
use crate::report::check::CheckReport;
use crate::spec::Spec;
use crate::suite::Interrupt;
use crate::suite::random::inputs_of_both_spreads;
use crate::testfile::TestRecord;
use crate::threads;
use crate::worst::{PointChoice, SearchEffort, look};
use std::fmt;
use std::path::{Path, PathBuf};

/// That a function is to meet a specification. The tests are those of `magneto gen`, and further ones at random where that is
/// asked for.
#[derive(Clone, Debug)]
pub struct Demand {
    given: String,
    name: Option<String>,
    notation: Notation,
    knobs: Vec<(String, String)>,
    random: (usize, u64),
    cache: Option<PathBuf>,
}

/// Why a function cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DemandError {
    /// What is wrong with the specification.
    Specification(Vec<SpecMistake>),
    /// An option is not there, or its value is wrong; a sentence without a full stop.
    Option(String),
    /// The function does not take the inputs of the specification; a sentence without a full stop.
    Function(String),
    /// There is no test, or no input, and why.
    NoTest(String),
}

impl fmt::Display for DemandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DemandError::Specification(mistakes) => {
                let texts: Vec<&str> = mistakes.iter().map(|m| m.text.as_str()).collect();
                f.write_str(&texts.join("\n"))
            }
            DemandError::Option(why) | DemandError::Function(why) | DemandError::NoTest(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for DemandError {}

impl Demand {
    /// By a formula such as `x: [0,1] -> exp(x) - 1`, the text of an FPCore, or the path of a file, with `:NAME` behind it where
    /// the file has several. A path is from the current folder, which is the package's where Cargo runs tests.
    #[must_use]
    pub fn new(given: impl Into<String>) -> Self {
        let (given, notation) = (given.into(), Notation::Plain);
        Demand { given, name: None, notation, knobs: Vec::new(), random: (0, 0), cache: None }
    }

    /// Picks one of several FPCores by its name; of a formula, what it is called. Default: the only FPCore, and `formula`.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// How a formula is written. Default: what all notations agree on.
    #[must_use]
    pub fn notation(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    /// How far a result may be from the exact value relative to that, such as `1e-12`. This, [`Demand::abs_error`] and
    /// [`Demand::ulps`] replace what the specification says.
    #[must_use]
    pub fn rel_error(self, bound: impl fmt::Display) -> Self {
        self.option("rel-error", bound)
    }

    /// How far a result may be from the exact value.
    #[must_use]
    pub fn abs_error(self, bound: impl fmt::Display) -> Self {
        self.option("abs-error", bound)
    }

    /// How far a result may be from the exact value in units in the last place of the result's format.
    #[must_use]
    pub fn ulps(self, bound: impl fmt::Display) -> Self {
        self.option("ulps", bound)
    }

    /// An option of `magneto gen` by its name without dashes. Default: as `magneto gen` has it; `magneto.toml` is not read.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl fmt::Display) -> Self {
        self.knobs.push((name.into(), value.to_string()));
        self
    }

    /// Adds so many inputs of the domain at random, which a seed decides. Default: none.
    #[must_use]
    pub fn random(mut self, count: usize, seed: u64) -> Self {
        self.random = (count, seed);
        self
    }

    /// Keeps generated tests in a folder, in which later runs find them. Default: they are made anew in each run.
    #[must_use]
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(folder.into());
        self
    }

    /// Puts the tests to a function, and judges what it answers. A panic of the function is a crash at that input.
    ///
    /// # Errors
    /// Why the function cannot be checked.
    pub fn check<A>(&self, function: impl TestedFunction<A>) -> Result<FunctionReport, DemandError> {
        threads::deep(|| self.checked(&function))
    }

    /// The same, for the body of a test.
    ///
    /// # Panics
    /// Where a test that counts is not OK, with the worst failures and the likely causes; or where the function cannot be checked.
    #[track_caller]
    pub fn assert<A>(&self, function: impl TestedFunction<A>) {
        match self.check(function) {
            Ok(report) if report.is_ok() => {}
            Ok(report) => panic!("{}\n{report}", report.summary()),
            Err(e) => panic!("{e}"),
        }
    }

    /// Searches for the input at which a function errs most, in so many evaluations.
    ///
    /// # Errors
    /// Why there is nothing to search.
    pub fn search<A>(&self, evaluations: u64, function: impl TestedFunction<A>) -> Result<SearchReport, DemandError> {
        threads::deep(|| self.searched(evaluations, &function))
    }

    /// The same, for the body of a test. This is a search, and no proof that there is no worse input.
    ///
    /// # Panics
    /// Where a result outside of the accuracy was found, or none that can be judged; or where there is nothing to search.
    #[track_caller]
    pub fn assert_searched<A>(&self, evaluations: u64, function: impl TestedFunction<A>) {
        match self.search(evaluations, function) {
            Ok(report) if report.is_ok() => {}
            Ok(report) => panic!("{report}"),
            Err(e) => panic!("{e}"),
        }
    }

    /// The specification.
    ///
    /// # Errors
    /// What is wrong with it, or with an option.
    pub fn read(&self) -> Result<ReadSpec, DemandError> {
        let mut settings = Settings::default();
        for (name, value) in &self.knobs {
            let knob = KNOBS.iter().find(|knob| knob.name == name);
            let knob = knob.ok_or_else(|| DemandError::Option(format!("there is no option {name}")))?;
            let set = settings.set(knob, std::slice::from_ref(value), OptionOrigin::Flag);
            set.map_err(|why| DemandError::Option(format!("{name}: {why}")))?;
        }
        let text = self.given.as_str();
        let given = match text.trim_start() {
            _ if Path::new(text).exists() => GivenSpec::File(text),
            start if start.starts_with(['(', ';']) => GivenSpec::Text(text),
            _ if text.contains("->") => GivenSpec::Formula(text, self.notation),
            _ => GivenSpec::File(text),
        };
        given::specification(given, self.name.as_deref(), settings).map_err(DemandError::Specification)
    }

    fn checked<A>(&self, function: &impl TestedFunction<A>) -> Result<FunctionReport, DemandError> {
        let read = self.read()?;
        let record = record(function);
        let called = called(function, &read)?;
        let cases = self.cases(&read)?;
        let with = InsideCheck { spec: &read.spec, options: &read.settings.suite, stop: None };
        let checked = check(&with, cases, &*called, record);
        let report = CheckReport { spec: &read.spec, source: &read.source, checked: &checked };
        Ok(FunctionReport::new(&report, &read.notes))
    }

    fn searched<A>(&self, evaluations: u64, function: &impl TestedFunction<A>) -> Result<SearchReport, DemandError> {
        let read = self.read()?;
        let record = record(function);
        let (called, limits) = (called(function, &read)?, RunLimits::default());
        let ReadSpec { spec, source, settings, notes } = &read;
        let mut caller = Caller::of_function(&*called, spec.inputs.len(), spec.result_format, &limits, None);
        let (cap, jobs) = (settings.suite.precision_cap, settings.suite.jobs);
        let effort = SearchEffort { evaluations, cap, jobs, starts: &[], progress: None };
        let searched = look(PointChoice::Search, spec, &mut caller, &effort);
        let searched = searched.map_err(|e| DemandError::NoTest(e.to_string()))?;
        Ok(SearchReport::new((spec, source), &searched, &record, notes))
    }

    /// The tests of the specification, and those at random.
    fn cases(&self, read: &ReadSpec) -> Result<Vec<Case>, DemandError> {
        let ReadSpec { spec, source, settings, .. } = read;
        let none = |why: String| DemandError::NoTest(format!("{}: {why}", spec.name));
        let cache = self.cache.as_deref().map(Cache::open).transpose();
        let cache = cache.map_err(|e| DemandError::Option(format!("cache: {e}")))?;
        let key = CacheKey { spec, source, settings, decisions: "" };
        let made = tests_of(&key, cache.as_ref(), &Interrupt::default()).map_err(|e| none(e.to_string()))?;
        cache.iter().for_each(Cache::clean);
        let mut cases: Vec<Case> = made.tests.iter().filter_map(|row| row.case()).collect();
        let (count, seed) = self.random;
        cases.extend(random_cases(spec, (count, seed), settings.suite.precision_cap).map_err(none)?);
        if cases.is_empty() { Err(none("no test was found".to_owned())) } else { Ok(cases) }
    }
}

/// What is owed at some inputs at random.
fn random_cases(spec: &Spec, (count, seed): (usize, u64), cap: u32) -> Result<Vec<Case>, String> {
    let inputs = inputs_of_both_spreads(spec, count, seed, cap).map_err(|e| e.to_string())?;
    let record = |(k, input)| {
        let id = format!("x{:03}", k + 1);
        TestRecord { id, line: k + 1, input, lo: None, hi: None, expected: None, passes: None }
    };
    let records: Vec<TestRecord> = inputs.into_iter().enumerate().map(record).collect();
    let found = harness::cases(spec, &records, cap);
    found.map(|found| found.cases).map_err(|problems| problems.into_iter().map(|(_, why)| why).collect())
}

/// How a function is called, for the record.
fn record<A, F: TestedFunction<A>>(_: &F) -> RunRecord {
    let name = std::any::type_name::<F>();
    RunRecord([("kind", "rust"), ("function", name)].map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec())
}

/// A function as the harness calls it, if it takes the inputs of a specification.
fn called<'f, A, F: TestedFunction<A>>(function: &'f F, read: &ReadSpec) -> Result<Box<InProcess<'f>>, DemandError> {
    let inputs = &read.spec.inputs;
    if let Some(takes) = F::TAKES.filter(|takes| *takes != inputs.len()) {
        let number = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
        let (takes, has) = (number(takes, "number"), number(inputs.len(), "input"));
        return Err(DemandError::Function(format!("the function takes {takes}, and {} has {has}", read.spec.name)));
    }
    if let Some(wide) = inputs.iter().find(|i| F::IS_NARROW && i.format == Format::BINARY64) {
        return Err(DemandError::Function(format!(
            "the function takes f32, and the input {} of {} is a binary64 number; for a function of f32 the specification has \
             `:precision binary32`, or `:magneto-inputs binary32` where only the inputs are f32",
            wide.name, read.spec.name
        )));
    }
    Ok(Box::new(of_numbers(inputs.len(), |x| function.call(x))))
}

#[cfg(test)]
mod tests;
