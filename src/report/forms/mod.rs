//! A run in the forms that other tools read: pure functions of what [`read`] read from the files of a run.

mod gates;
mod sarif;
mod sources;
mod stryker;
mod table;
mod trace;

use crate::record::check::Check;
use crate::record::mutants::MutantRow;
use crate::record::store::FileKind;
use crate::record::tests::TestRow;
use crate::record::{self, Part, ReadError};
use crate::report::junit;
use crate::suite::Standing;
use crate::unfit::Unfit;
use sources::Sources;
use std::path::Path;

/// A form of a run.
pub struct Form {
    /// Its name on the command line.
    pub name: &'static str,
    /// The name of its file.
    pub file: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// By what a file of it is known.
    pub kind: FileKind,
    /// Its text, of all specifications of a run.
    pub write: fn(&[Stored]) -> Result<Vec<u8>, Unfit>,
}

/// What tables say, in a row of its own, of a specification whose run did not come to its end.
const INTERRUPTED: &str = "interrupted";

/// Every form.
pub const FORMS: [Form; 5] = [
    Form {
        name: "stryker",
        file: "stryker.json",
        about: "the mutation testing report of Stryker's dashboards and viewers",
        kind: stryker::KIND,
        write: stryker::text,
    },
    Form {
        name: "sarif",
        file: "report.sarif",
        about: "SARIF 2.1.0 of the mutants that are not killed, for code scanning",
        kind: sarif::KIND,
        write: sarif::text,
    },
    Form {
        name: "junit",
        file: "junit.xml",
        about: "JUnit: the gates of the run, and the mutants that are open",
        kind: junit::KIND,
        write: gates::text,
    },
    Form {
        name: "csv",
        file: "summary.csv",
        about: "numbers of mutants by specification, operator and status",
        kind: table::KIND,
        write: table::text,
    },
    Form {
        name: "trace",
        file: "traceability.csv",
        about: "requirement, mutant, test, verdict, and the verdicts of `check` in DIR",
        kind: trace::KIND,
        write: trace::text,
    },
];

/// One specification of a run.
#[derive(Clone, Debug)]
pub struct Stored {
    /// What tells it apart: its folder in the run, empty where the run has one specification.
    pub folder: String,
    /// Its file, with `/`.
    pub file: String,
    /// The file's text.
    pub source: String,
    /// What the run wrote down.
    pub part: Part,
    /// For each mutant the tests that kill it, surely or probably, by place.
    killers: Vec<Vec<usize>>,
    /// Results of `magneto check` in the folder, one of each implementation.
    pub checks: Vec<Check>,
}

impl Stored {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.part.manifest.specification.name
    }

    /// Its name, with its folder where another specification of the run has the same.
    fn name_among(&self, run: &[Stored]) -> String {
        match run.iter().filter(|other| other.name() == self.name()).count() {
            0 | 1 => self.name().to_owned(),
            _ => format!("{} ({})", self.name(), self.folder),
        }
    }

    /// The requirement; empty if there is none.
    fn requirement(&self) -> Option<&str> {
        self.part.manifest.specification.requirement.as_deref()
    }

    /// The requirements that it stands for, one by one.
    #[must_use]
    pub fn requirements(&self) -> Vec<&str> {
        let about = &self.part.manifest.specification;
        match about.requirements.is_empty() {
            // What an earlier version wrote.
            true => about.requirement.as_deref().into_iter().collect(),
            false => about.requirements.iter().map(String::as_str).collect(),
        }
    }

    /// SHA-256 of the file.
    pub(crate) fn sha256(&self) -> &str {
        &self.part.manifest.specification.sha256
    }

    pub(crate) fn mutants(&self) -> &[MutantRow] {
        &self.part.mutants.mutants
    }

    /// The mutants, each with the tests that kill it.
    fn killed(&self) -> impl Iterator<Item = (&MutantRow, Vec<&TestRow>)> {
        let tests = |places: &Vec<usize>| places.iter().map(|t| &self.tests()[*t]).collect();
        self.mutants().iter().zip(self.killers.iter().map(tests))
    }

    pub(crate) fn tests(&self) -> &[TestRow] {
        &self.part.tests.tests
    }

    /// An id that is unique in the run.
    fn unique(&self, id: &str) -> String {
        if self.folder.is_empty() { id.to_owned() } else { format!("{}/{id}", self.folder) }
    }

    /// The status of a mutant, and who accepted it and why, if somebody did; none if the run has no such mutant.
    #[must_use]
    pub fn status(&self, id: &str) -> Option<(Standing, Option<(&str, &str)>)> {
        let m = self.mutants().iter().find(|m| m.id == id)?;
        Some((m.status?, m.accepted.as_ref().map(|a| (a.by.as_str(), a.reason.as_str()))))
    }

    /// The ids of the accepted mutants.
    pub fn accepted(&self) -> impl Iterator<Item = &str> {
        self.mutants().iter().filter(|m| m.accepted.is_some()).map(|m| m.id.as_str())
    }
}

fn ids<'a>(tests: &[&'a TestRow]) -> Vec<&'a str> {
    tests.iter().map(|t| t.id.as_str()).collect()
}

/// `x = 0x1p+0, y = …`.
fn inputs_of(test: &TestRow) -> String {
    test.inputs.0.iter().map(|(name, x)| format!("{name} = {x}")).collect::<Vec<_>>().join(", ")
}

/// `before -> after`, on one line.
fn change(m: &MutantRow) -> String {
    let short = super::text::clip;
    format!("{} -> {}", short(&m.before), short(&m.after))
}

/// Reads a run. The specifications' files, which a run records without their folders, are looked for in `above` and below; it
/// goes before the names of those that are not there any more.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn read(dir: &Path, above: &str) -> Result<Vec<Stored>, ReadError> {
    let one = |folder: String| read_one(&dir.join(&folder), folder);
    let mut all = record::read::folders(dir)?.into_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    place(&mut all, above);
    Ok(all)
}

/// Gives the files of specifications their folders, as far as these are known.
fn place(all: &mut [Stored], above: &str) {
    let above = above.replace('\\', "/");
    let above = above.trim_end_matches('/');
    let mut names: Vec<&str> = all.iter().map(|s| s.file.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let sources = Sources::below(above, &names);
    // Of files with one text each has the same specifications at the same places.
    let about = |s: &Stored| s.part.manifest.specification.clone();
    let same = |a: &Stored, b: &Stored| {
        let (a, b) = (about(a), about(b));
        (a.file, a.sha256, a.line, a.column) == (b.file, b.sha256, b.line, b.column)
    };
    let earlier = |k: usize| all[..k].iter().filter(|s| same(s, &all[k])).count();
    let found: Vec<Option<String>> =
        (0..all.len()).map(|k| sources.nth(&all[k].file, all[k].sha256(), earlier(k)).cloned()).collect();
    for k in 0..all.len() {
        // Files of one name and other contents are other files.
        let is_other = |s: &Stored| s.part.manifest.specification.file == all[k].file && s.sha256() != all[k].sha256();
        let own = match all[..k].iter().any(is_other) {
            true => format!("{}/{}", all[k].folder, all[k].file),
            false => all[k].file.clone(),
        };
        let guessed = if above.is_empty() || above == "." { own } else { format!("{above}/{own}") };
        all[k].file = found[k].clone().unwrap_or(guessed);
    }
}

fn read_one(path: &Path, folder: String) -> Result<Stored, ReadError> {
    let part = Part::read(path)?;
    let about = &part.manifest.specification;
    let checks = record::read::checks(path)?;
    if let Some((path, _)) = checks.iter().find(|(_, c)| c.sha256 != about.sha256) {
        let file = &about.file;
        let why = format!(
            "{} is about another version of {file} than the run: run `magneto gen`, then `magneto check` again",
            path.display()
        );
        return Err(ReadError::Misfit(why));
    }
    let checks = checks.into_iter().map(|(_, check)| check).collect();
    let file = about.file.clone();
    let source = String::from_utf8_lossy(&part.source).into_owned();
    let killers = part.matrix.killers(part.mutants.mutants.len());
    Ok(Stored { folder, file, source, part, killers, checks })
}
