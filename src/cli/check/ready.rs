//! An implementation of a project with all that a check of it takes.

use super::pairs::Pair;
use super::{Environment, checked, fits, make_tests, prepared, read_tests};
use crate::cli::exit::Failure;
use crate::cli::output::Output;
use magneto::harness::{Case, Checked, PreparedTarget, UnderTest};
use magneto::options::Settings;
use magneto::record::read;
use magneto::threads::Threads;
use std::path::{Path, PathBuf};

/// An implementation that may be run.
pub(super) struct Ready {
    /// How it is run; of results from elsewhere their file.
    pub(super) implementation: Result<(UnderTest, PreparedTarget), String>,
    /// The file of its tests; none where they are made of the specification.
    pub(super) tests: Option<PathBuf>,
    /// Where it runs, and for whom.
    pub(super) environment: Environment,
}

impl Ready {
    /// With the tests that magneto.toml names, those of the run in the output folder, or new ones.
    pub(super) fn new(pair: &Pair<'_>, said: &Environment, settings: &Settings) -> Result<Self, Failure> {
        let loaded = pair.loaded;
        let target = pair.implementation().target()?;
        fits(target.as_ref(), loaded)?;
        let implementation = match target {
            Some(target) => {
                let prepared = prepared(&target, loaded)?;
                Ok((target, prepared))
            }
            None => Err(pair.file("results").unwrap_or_default()),
        };
        let tests = match pair.file("tests") {
            Some(path) => Some(read::test_file(Path::new(&path), &loaded.spec, &loaded.source)?.0),
            None => pair.tests_of_a_run(settings),
        };
        Ok(Ready { implementation, tests, environment: pair.environment(said) })
    }

    /// Its tests.
    fn cases(&self, pair: &Pair<'_>, notes: &mut Vec<String>, output: &Output) -> Result<Vec<Case>, Failure> {
        let own = &pair.loaded.settings;
        match &self.tests {
            Some(file) => read_tests(pair.loaded, file, own, notes),
            None => make_tests(pair.loaded, own, output),
        }
    }

    /// Runs it, and judges what came back. `notes` gets what is worth knowing.
    pub(super) fn checked(
        &self,
        pair: &Pair<'_>,
        threads: &Threads,
        notes: &mut Vec<String>,
        output: &Output,
    ) -> Result<Checked, Failure> {
        let cases = self.cases(pair, notes, output)?;
        let source = self.implementation.as_ref().map_err(String::as_str);
        checked(pair.loaded, cases, source, &self.environment, threads, notes, output)
    }
}
