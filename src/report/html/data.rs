//! What the report shows, from one specification's folder.

use crate::floats::Format;
use crate::record::check::{Check, TestResult};
use crate::record::number::from_hex;
use crate::record::verification::{Verification, VerifiedSpecification};
use crate::record::{self, Manifest, Matrix, Part, ReadError, Summary, mutants, tests};
use crate::spec::core::Core;
use crate::spec::remarks::above;
use crate::spec::{Overrides, Spec, parse_file, resolve};
use crate::suite::Standing;
use crate::text::line_column;
use std::ops::Deref;
use std::path::Path;

/// Everything that the report shows.
pub(super) struct Run {
    pub(super) manifest: Manifest,
    pub(super) summary: Summary,
    pub(super) tests: Vec<Test>,
    pub(super) mutants: Vec<Mutant>,
    /// The kill matrix.
    pub(super) matrix: Matrix,
    /// What an implementation returned, if one was checked: of several the one with the most failures.
    pub(super) check: Option<Check>,
    /// What the others of several returned.
    pub(super) other_checks: Vec<Check>,
    /// Whether there is a check that is left out, because it is not about this specification as it is.
    pub(super) misfit: bool,
    /// The text of the specification, if the core of the mutants is found in it.
    pub(super) text: Option<Text>,
    /// The specification, read again from the manifest.
    pub(super) spec: Spec,
    /// What the independent checker said of it, if it was asked of the run as it is.
    pub(super) verified: Option<VerifiedSpecification>,
}

/// A test with its input in the order of the specification.
pub(super) struct Test {
    record: tests::TestRow,
    pub(super) x: Vec<f64>,
}

impl Deref for Test {
    type Target = tests::TestRow;
    fn deref(&self) -> &tests::TestRow {
        &self.record
    }
}

/// A mutant with what became of it.
pub(super) struct Mutant {
    record: mutants::MutantRow,
    pub(super) status: Standing,
    /// The tests that kill it, surely or probably, by index.
    pub(super) killers: Vec<usize>,
}

impl Deref for Mutant {
    type Target = mutants::MutantRow;
    fn deref(&self) -> &mutants::MutantRow {
        &self.record
    }
}

/// A specification as it was written, and where that stands in its file, from 1.
pub(super) struct Text {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) source: String,
}

/// Reads a folder. `verified` is what the checker said of the folder that it is in, or of itself.
pub(super) fn read(folder: &Path, verified: Option<&Verification>) -> Result<Run, ReadError> {
    let Part { manifest, summary, tests, mutants, matrix, source } = Part::read(folder)?;
    let misfit = |why: String| ReadError::Misfit(format!("{}: {why}", folder.display()));
    let spec = specification(&manifest).map_err(misfit)?;
    let with_input = |record: tests::TestRow| {
        let x = spec.inputs.iter().map(|i| from_hex(record.inputs.get(&i.name)?)).collect::<Option<Vec<f64>>>();
        let x = x.ok_or_else(|| misfit(format!("tests.json lacks an input of test {}", record.id)))?;
        Ok(Test { record, x })
    };
    let tests = tests.tests.into_iter().map(with_input).collect::<Result<Vec<_>, ReadError>>()?;
    let killers = matrix.killers(mutants.mutants.len());
    let with_killers = |(record, killers): (mutants::MutantRow, Vec<usize>)| {
        let status = record.status.ok_or_else(|| misfit(format!("mutants.json has no status of {}", record.id)))?;
        Ok(Mutant { record, status, killers })
    };
    let text = written(&source, &mutants.mutants);
    let mutants = mutants.mutants.into_iter().zip(killers).map(with_killers).collect::<Result<Vec<_>, ReadError>>()?;
    // An older check, of another version of the specification, says nothing about these tests.
    let found = record::read::checks(folder)?;
    let about = &manifest.specification;
    let all = found.len();
    let fits = |c: &Check| c.specification == about.name && c.sha256 == about.sha256;
    let mut checks: Vec<Check> = found.into_iter().map(|(_, check)| check).filter(fits).collect();
    let misfit = checks.len() < all;
    checks.sort_by_key(|c| std::cmp::Reverse(c.counts.ko));
    let mut checks = checks.into_iter();
    let (check, other_checks) = (checks.next(), checks.collect());
    let name = std::fs::canonicalize(folder).ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let is_this = |s: &&VerifiedSpecification| name.as_ref() == Some(&s.specification);
    let verified = verified.and_then(|v| v.specifications.iter().find(is_this)).cloned();
    Ok(Run { text, check, other_checks, misfit, manifest, summary, tests, mutants, matrix, spec, verified })
}

/// The specification as the manifest has it.
fn specification(manifest: &Manifest) -> Result<Spec, String> {
    let about = &manifest.specification;
    let mut spec = resolved(&about.core, &about.file)
        .ok_or_else(|| "the specification in manifest.json cannot be read".to_owned())?;
    spec.name.clone_from(&about.name);
    // The formats of a run stand in the manifest, also where flags or defaults gave them.
    if let Some(format) = Format::from_name(&about.result_format) {
        spec.result_format = format;
    }
    Ok(spec)
}

/// The core of a file in which the mutants are: those in cores that it calls are fewer.
fn written(source: &[u8], mutants: &[mutants::MutantRow]) -> Option<Text> {
    let parsed = parse_file(source);
    let inside = |core: &&Core| {
        let (from, to) = (line_column(source, core.span.start), line_column(source, core.span.end));
        mutants.iter().filter(|m| from <= (m.line, m.column) && (m.line, m.column) < to).count()
    };
    let core = parsed.cores.iter().flatten().max_by_key(inside)?;
    // With the comments above it.
    let start = above(source, core.span);
    let (line, column) = line_column(source, start);
    let text = source.get(start..core.span.end)?;
    Some(Text { line, column, source: String::from_utf8_lossy(text).into_owned() })
}

/// A core of the files as a specification.
pub(super) fn resolved(core: &str, file: &str) -> Option<Spec> {
    let parsed = parse_file(core.as_bytes());
    resolve(&parsed, 0, file, &Overrides::default()).ok()
}

impl Run {
    /// What a checked implementation returned at a test: the same id at the same input.
    pub(super) fn observed(&self, test: &Test) -> Option<&TestResult> {
        let check = self.check.as_ref()?;
        check.tests.iter().find(|o| o.id == test.id && o.inputs == test.inputs)
    }

    /// The indices of the mutants with a status.
    pub(super) fn with_status(&self, status: Standing) -> impl Iterator<Item = usize> + '_ {
        (0..self.mutants.len()).filter(move |m| self.mutants[*m].status == status)
    }

    /// The mutants that a test kills, surely or probably.
    pub(super) fn kills(&self, test: usize) -> impl Iterator<Item = &Mutant> {
        self.matrix.kills(test).map(|(m, _)| &self.mutants[m])
    }
}

/// A number of the files.
pub(super) fn number(text: Option<&String>) -> Option<f64> {
    from_hex(text?)
}
