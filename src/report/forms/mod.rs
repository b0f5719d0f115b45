//! A run in the forms that other tools read: pure functions of what [`read`] read from the files of a run.

mod gates;
mod sarif;
mod stryker;
mod table;
mod trace;

pub(super) use sarif::mistake;

use super::manifest::hash;
use super::stored::{damaged, folders, read_tests, read_versioned};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
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
    pub write: fn(&[Stored]) -> Result<Vec<u8>, String>,
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
    /// Its name.
    pub name: String,
    /// The requirement.
    pub requirement: Option<String>,
    /// Its file, with `/`.
    pub file: String,
    /// The file's text.
    pub source: String,
    /// SHA-256 of the file.
    pub sha256: String,
    /// The names of the inputs in order.
    pub inputs: Vec<String>,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// The recorded options: name and value.
    pub options: Vec<(String, Option<String>)>,
    /// The mutants.
    pub mutants: Vec<Mutant>,
    /// The tests.
    pub tests: Vec<Test>,
    /// Results of `magneto check` in the folder.
    pub checked: Option<Vec<Checked>>,
}

/// A mutant, as in `mutants.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Mutant {
    id: String,
    operator: String,
    objective: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    before: String,
    after: String,
    status: String,
    killed_by: Vec<String>,
    margin: Option<String>,
    proof: Option<String>,
    reason: Option<String>,
    accepted: Option<Accepted>,
}

/// A person's decision.
#[derive(Clone, Debug, Deserialize)]
struct Accepted {
    by: String,
    reason: String,
}

/// A test, as in `tests.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Test {
    id: String,
    inputs: serde_json::Map<String, Value>,
    kills: Vec<String>,
    probable: Vec<String>,
    #[serde(default)]
    reason: String,
}

/// The result of an implementation at a test, as in `check.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Checked {
    id: String,
    inputs: serde_json::Map<String, Value>,
    verdict: String,
}

impl Stored {
    /// An id that is unique in the run.
    fn unique(&self, id: &str) -> String {
        if self.folder.is_empty() { id.to_owned() } else { format!("{}/{id}", self.folder) }
    }

    /// An option as it was given or by default.
    fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|o| o.0 == name)?.1.as_deref()
    }

    /// The status of a mutant, and who accepted it and why, if somebody did; none if the run has no such mutant.
    #[must_use]
    pub fn status(&self, id: &str) -> Option<(&str, Option<(&str, &str)>)> {
        let m = self.mutants.iter().find(|m| m.id == id)?;
        Some((&m.status, m.accepted.as_ref().map(|a| (a.by.as_str(), a.reason.as_str()))))
    }

    /// The ids of the accepted mutants.
    pub fn accepted(&self) -> impl Iterator<Item = &str> {
        self.mutants.iter().filter(|m| m.accepted.is_some()).map(|m| m.id.as_str())
    }

    /// `x = 0x1p+0, y = …`.
    fn inputs_of(&self, test: &Test) -> String {
        let one = |name: &String| format!("{name} = {}", test.inputs.get(name).and_then(Value::as_str).unwrap_or("?"));
        self.inputs.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

impl Mutant {
    /// `before -> after`, on one line.
    fn change(&self) -> String {
        let short = super::text::clip;
        format!("{} -> {}", short(&self.before), short(&self.after))
    }

    /// The proof, or why there is none; may be empty.
    fn why(&self) -> &str {
        self.proof.as_deref().or(self.reason.as_deref()).unwrap_or_default()
    }
}

/// Reads a run. `above` goes before the names of the specifications' files, which a run records without their folders.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn read(dir: &Path, above: &str) -> Result<Vec<Stored>, String> {
    let folders = folders(dir)?;
    let one = |folder: &std::path::PathBuf| {
        let name = if folder == dir { None } else { folder.file_name() };
        read_one(folder, name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(), above)
    };
    let mut all = folders.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    // Files of one name and other contents are other files.
    for k in 0..all.len() {
        if all[..k].iter().any(|s| s.file == all[k].file && s.sha256 != all[k].sha256) {
            all[k].file = format!("{}/{}", all[k].folder, all[k].file);
        }
    }
    Ok(all)
}

fn read_one(folder: &Path, name: String, above: &str) -> Result<Stored, String> {
    let path = folder.join("manifest.json");
    let manifest = read_versioned(&path, "magneto/manifest/1")?;
    let spec = &manifest["specification"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let needed = |value: &Value, what: &str| text(value).ok_or_else(|| format!("{} lacks the {what}", path.display()));
    let sha256 = needed(&spec["sha256"], "hash")?;
    let at = folder.join("source.fpcore");
    let bytes = std::fs::read(&at).map_err(|e| format!("cannot read {}: {e}", at.display()))?;
    if hash(&bytes) != sha256 {
        return Err(format!("{} is not the file that the run was made from", at.display()));
    }
    let file = needed(&spec["file"], "file's name")?;
    let above = above.replace('\\', "/");
    let above = above.trim_end_matches('/');
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mutants = folder.join("mutants.json");
    let tests = folder.join("tests.json");
    let check = folder.join("check.json");
    let checked = if check.is_file() {
        let document = read_versioned(&check, "magneto/check/1")?;
        if document["sha256"] != sha256.as_str() {
            return Err(format!("{} is about another version of {file}: run `magneto check` again", check.display()));
        }
        Some(rows(&document["tests"], &check)?)
    } else {
        None
    };
    Ok(Stored {
        folder: name,
        name: needed(&spec["name"], "name")?,
        requirement: text(&spec["requirement"]),
        file: if above.is_empty() { file } else { format!("{above}/{file}") },
        source: String::from_utf8_lossy(&bytes).into_owned(),
        sha256,
        inputs: list(&spec["inputs"]).iter().filter_map(|i| text(&i["name"])).collect(),
        interrupted: manifest["interrupted"] == true,
        options: list(&manifest["options"])
            .iter()
            .filter_map(|o| Some((text(&o["name"])?, text(&o["value"]))))
            .collect(),
        mutants: rows(&read_versioned(&mutants, "magneto/mutants/1")?["mutants"], &mutants)?,
        tests: rows(&read_tests(folder)?["tests"], &tests)?,
        checked,
    })
}

/// The rows of a document.
fn rows<T: DeserializeOwned>(value: &Value, path: &Path) -> Result<Vec<T>, String> {
    Vec::deserialize(value).map_err(|e| damaged(&path.display().to_string(), &e))
}
