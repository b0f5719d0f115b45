//! A run in the forms that other tools read: pure functions of what [`read`] read from the files of a run.

mod gates;
mod sarif;
mod stryker;
mod table;
mod trace;

use crate::record::check::Check;
use crate::record::mutants::Mutant;
use crate::record::tests::Test;
use crate::record::{self, Error, Part};
use crate::suite::Standing;
use crate::unfit::Unfit;
use std::path::Path;

/// A form of a run.
pub struct Form {
    /// Its name on the command line.
    pub name: &'static str,
    /// The name of its file.
    pub file: &'static str,
    /// What it is, for help.
    pub about: &'static str,
    /// Its text, of all specifications of a run.
    pub write: fn(&[Stored]) -> Result<Vec<u8>, Unfit>,
}

/// Every form.
pub const FORMS: [Form; 5] = [
    Form {
        name: "stryker",
        file: "stryker.json",
        about: "the mutation testing report of Stryker's dashboards and viewers",
        write: stryker::text,
    },
    Form {
        name: "sarif",
        file: "report.sarif",
        about: "SARIF 2.1.0 of the mutants that are not killed, for code scanning",
        write: sarif::text,
    },
    Form {
        name: "junit",
        file: "junit.xml",
        about: "JUnit: the gates of the run, and the mutants that are open",
        write: gates::text,
    },
    Form {
        name: "csv",
        file: "summary.csv",
        about: "numbers of mutants by specification, operator and status",
        write: table::text,
    },
    Form {
        name: "trace",
        file: "traceability.csv",
        about: "requirement, mutant, test, verdict, and the verdicts of `check` in DIR",
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
    /// Results of `magneto check` in the folder.
    pub checked: Option<Check>,
}

impl Stored {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.part.manifest.specification.name
    }

    /// The requirement; empty if there is none.
    fn requirement(&self) -> Option<&str> {
        self.part.manifest.specification.requirement.as_deref()
    }

    /// SHA-256 of the file.
    fn sha256(&self) -> &str {
        &self.part.manifest.specification.sha256
    }

    fn mutants(&self) -> &[Mutant] {
        &self.part.mutants.mutants
    }

    fn tests(&self) -> &[Test] {
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

/// `x = 0x1p+0, y = …`.
fn inputs_of(test: &Test) -> String {
    test.inputs.0.iter().map(|(name, x)| format!("{name} = {x}")).collect::<Vec<_>>().join(", ")
}

/// `before -> after`, on one line.
fn change(m: &Mutant) -> String {
    let short = super::text::clip;
    format!("{} -> {}", short(&m.before), short(&m.after))
}

/// Reads a run. `above` goes before the names of the specifications' files, which a run records without their folders.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn read(dir: &Path, above: &str) -> Result<Vec<Stored>, Error> {
    let one = |folder: String| read_one(&dir.join(&folder), folder, above);
    let mut all = record::read::folders(dir)?.into_iter().map(one).collect::<Result<Vec<_>, _>>()?;
    // Files of one name and other contents are other files.
    for k in 0..all.len() {
        if all[..k].iter().any(|s| s.file == all[k].file && s.sha256() != all[k].sha256()) {
            all[k].file = format!("{}/{}", all[k].folder, all[k].file);
        }
    }
    Ok(all)
}

fn read_one(path: &Path, folder: String, above: &str) -> Result<Stored, Error> {
    let part = Part::read(path)?;
    let about = &part.manifest.specification;
    let above = above.replace('\\', "/");
    let above = above.trim_end_matches('/');
    let checked = record::read::check(path)?;
    if checked.as_ref().is_some_and(|c| c.sha256 != about.sha256) {
        let (path, file) = (path.join("check.json"), &about.file);
        let why = format!("{} is about another version of {file}: run `magneto check` again", path.display());
        return Err(Error::Misfit(why));
    }
    let file = if above.is_empty() { about.file.clone() } else { format!("{above}/{}", about.file) };
    let source = String::from_utf8_lossy(&part.source).into_owned();
    Ok(Stored { folder, file, source, part, checked })
}
