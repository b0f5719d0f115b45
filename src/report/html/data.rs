//! The files of one specification's folder, read back for the report.

use crate::num::float::Format;
use crate::report::resume::from_hex;
use crate::report::stored::damaged;
use crate::spec::core::Core;
use crate::spec::diagnostic::line_column;
use crate::spec::{Overrides, Spec, parse_file, resolve};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};

/// Everything that the report shows.
pub(super) struct Run {
    pub(super) manifest: Manifest,
    pub(super) summary: Summary,
    pub(super) tests: Vec<Test>,
    pub(super) mutants: Vec<Mutant>,
    /// The kill matrix: for each test the verdict on each mutant.
    pub(super) cells: Vec<Vec<Cell>>,
    /// What an implementation returned, if one was checked.
    pub(super) check: Option<Check>,
    /// Whether there is a check that is left out, because it is not about this specification as it is.
    pub(super) misfit: bool,
    /// The text of the specification; none where a run has not kept its file.
    pub(super) text: Option<Text>,
    /// The specification, read again from the manifest.
    pub(super) spec: Spec,
}

/// A cell of the kill matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    Ko,
    Probable,
    Ok,
    Uncertain,
}

#[derive(Deserialize)]
pub(super) struct Manifest {
    pub(super) schema: String,
    pub(super) magneto: String,
    pub(super) commit: Option<String>,
    pub(super) mpfr: String,
    pub(super) platform: String,
    pub(super) specification: Specification,
    pub(super) options: Vec<Knob>,
    pub(super) wall_clock_limit_hit: bool,
}

#[derive(Deserialize)]
pub(super) struct Specification {
    pub(super) name: String,
    pub(super) requirement: Option<String>,
    pub(super) file: String,
    pub(super) sha256: String,
    pub(super) core: String,
    pub(super) accuracy: String,
    pub(super) accuracy_is_default: bool,
    pub(super) result_format: String,
    pub(super) out_of_range: String,
    pub(super) inputs: Vec<Input>,
}

/// A specification as it was written, and where that stands in its file, from 1.
pub(super) struct Text {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) source: String,
}

#[derive(Deserialize)]
pub(super) struct Input {
    pub(super) name: String,
    pub(super) format: String,
    pub(super) range: String,
}

#[derive(Deserialize)]
pub(super) struct Knob {
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) origin: String,
}

#[derive(Deserialize)]
pub(super) struct Summary {
    pub(super) interrupted: bool,
    /// How many minimal mutants there are; earlier versions did not say.
    pub(super) minimal: Option<usize>,
    pub(super) scores: Scores,
    pub(super) operators: BTreeMap<String, Scores>,
}

#[derive(Deserialize)]
pub(super) struct Scores {
    pub(super) mutants: usize,
    pub(super) killed: usize,
    pub(super) probable: usize,
    pub(super) equivalent: usize,
    pub(super) indistinguishable: usize,
    pub(super) undecided: usize,
    #[serde(default)]
    pub(super) accepted: usize,
    pub(super) rigorous: Share,
    pub(super) paper: Share,
    pub(super) resolved: Share,
}

#[derive(Deserialize)]
pub(super) struct Share {
    pub(super) part: usize,
    pub(super) whole: usize,
    pub(super) score: String,
}

#[derive(Deserialize)]
struct Tests {
    schema: String,
    tests: Vec<Test>,
}

#[derive(Deserialize)]
pub(super) struct Test {
    pub(super) id: String,
    pub(super) inputs: HashMap<String, String>,
    pub(super) inputs_dec: HashMap<String, String>,
    pub(super) lo: Option<String>,
    pub(super) lo_dec: Option<String>,
    pub(super) hi: Option<String>,
    pub(super) hi_dec: Option<String>,
    pub(super) expected: Option<String>,
    pub(super) inner_lo: Option<String>,
    pub(super) inner_hi: Option<String>,
    pub(super) origin: String,
    #[serde(default)]
    pub(super) reason: String,
    /// The input in the order of the specification.
    #[serde(skip)]
    pub(super) x: Vec<f64>,
}

#[derive(Deserialize)]
struct Mutants {
    schema: String,
    mutants: Vec<Mutant>,
}

#[derive(Deserialize)]
pub(super) struct Mutant {
    pub(super) id: String,
    pub(super) operator: String,
    pub(super) objective: String,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) fpcore: String,
    pub(super) status: String,
    pub(super) margin: Option<String>,
    pub(super) proof: Option<String>,
    pub(super) reason: Option<String>,
    pub(super) near_miss: Option<Miss>,
    pub(super) search: Option<Search>,
    /// Of a killed mutant, the minimal one that stands for it, unless it is minimal itself.
    pub(super) subsumed_by: Option<String>,
    /// Who accepted it and why, if somebody did.
    pub(super) accepted: Option<Accepted>,
    /// The tests that kill it, surely or probably, by index.
    #[serde(skip)]
    pub(super) killers: Vec<usize>,
}

#[derive(Deserialize)]
pub(super) struct Accepted {
    pub(super) by: String,
    pub(super) reason: String,
}

#[derive(Deserialize)]
pub(super) struct Miss {
    pub(super) inputs: HashMap<String, String>,
    pub(super) ratio: String,
}

#[derive(Deserialize)]
pub(super) struct Search {
    pub(super) boxes: u64,
    pub(super) pruned: u64,
    pub(super) points: u64,
    pub(super) rounds: u32,
}

#[derive(Deserialize)]
pub(super) struct Check {
    schema: String,
    specification: String,
    sha256: String,
    pub(super) implementation: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) interrupted: bool,
    /// What could not be run, if something could not.
    pub(super) broken: Option<Broken>,
    /// The likely causes of the failures.
    #[serde(default)]
    pub(super) causes: Vec<Cause>,
    /// What was noticed besides.
    #[serde(default)]
    pub(super) facts: Vec<String>,
    pub(super) tests: Vec<Observed>,
}

#[derive(Deserialize)]
pub(super) struct Broken {
    pub(super) reason: String,
}

/// A wrong version of the specification that the results fit.
#[derive(Deserialize)]
pub(super) struct Cause {
    pub(super) matches: String,
    pub(super) failures: usize,
    pub(super) of_failures: usize,
    pub(super) results: usize,
    pub(super) of_results: usize,
    pub(super) mutants: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Observed {
    pub(super) id: String,
    pub(super) inputs: HashMap<String, String>,
    pub(super) verdict: String,
    pub(super) answer: String,
    pub(super) result: Option<String>,
    pub(super) result_dec: Option<String>,
    pub(super) reason: String,
}

/// Reads the files that `file` gives by name.
pub(super) fn read(file: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Run, String> {
    let manifest: Manifest = document(file, "manifest.json")?;
    versioned("manifest.json", &manifest.schema, &["magneto/manifest/1"])?;
    let summary: Summary = document(file, "summary.json")?;
    let tests: Tests = document(file, "tests.json")?;
    versioned("tests.json", &tests.schema, &["magneto/tests/1", "magneto/tests/2"])?;
    let mutants: Mutants = document(file, "mutants.json")?;
    versioned("mutants.json", &mutants.schema, &["magneto/mutants/1"])?;
    let (mut tests, mut mutants) = (tests.tests, mutants.mutants);
    let spec = specification(&manifest)?;
    for test in &mut tests {
        let x = spec.inputs.iter().map(|i| from_hex(test.inputs.get(&i.name)?)).collect::<Option<Vec<f64>>>();
        test.x = x.ok_or_else(|| format!("tests.json lacks an input of test {}", test.id))?;
    }
    let cells = matrix(file, &tests, &mutants)?;
    for (m, mutant) in mutants.iter_mut().enumerate() {
        let kills = |t: &usize| matches!(cells[*t][m], Cell::Ko | Cell::Probable);
        mutant.killers = (0..tests.len()).filter(kills).collect();
    }
    // An older check, of another version of the specification, says nothing about these tests.
    let bytes = file("check.json");
    let check = bytes.as_ref().and_then(|bytes| serde_json::from_slice::<Check>(bytes).ok());
    let about = &manifest.specification;
    let fits =
        |c: &Check| c.schema.starts_with("magneto/check/") && c.specification == about.name && c.sha256 == about.sha256;
    let check = check.filter(fits);
    let misfit = bytes.is_some() && check.is_none();
    let text = file("source.fpcore").and_then(|source| written(&source, &mutants));
    Ok(Run { text, check, misfit, manifest, summary, tests, mutants, cells, spec })
}

fn document<T: DeserializeOwned>(file: &dyn Fn(&str) -> Option<Vec<u8>>, name: &str) -> Result<T, String> {
    let bytes = file(name).ok_or_else(|| format!("{name} is missing"))?;
    serde_json::from_slice(&bytes).map_err(|e| damaged(name, &e))
}

fn versioned(name: &str, schema: &str, known: &[&str]) -> Result<(), String> {
    if known.contains(&schema) { Ok(()) } else { Err(format!("{name} does not have the schema `{}`", known[0])) }
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
fn written(source: &[u8], mutants: &[Mutant]) -> Option<Text> {
    let parsed = parse_file(source);
    let inside = |core: &&Core| {
        let (from, to) = (line_column(source, core.span.start), line_column(source, core.span.end));
        mutants.iter().filter(|m| from <= (m.line, m.column) && (m.line, m.column) < to).count()
    };
    let core = parsed.cores.iter().flatten().max_by_key(inside)?;
    let (line, column) = line_column(source, core.span.start);
    let text = source.get(core.span.start..core.span.end)?;
    Some(Text { line, column, source: String::from_utf8_lossy(text).into_owned() })
}

/// A core of the files as a specification.
pub(super) fn resolved(core: &str, file: &str) -> Option<Spec> {
    let parsed = parse_file(core.as_bytes());
    resolve(&parsed, 0, file, &Overrides::default()).ok()
}

/// The kill matrix in the order of the tests and mutants.
fn matrix(
    file: &dyn Fn(&str) -> Option<Vec<u8>>,
    tests: &[Test],
    mutants: &[Mutant],
) -> Result<Vec<Vec<Cell>>, String> {
    let bytes = file("matrix.csv").ok_or("matrix.csv is missing")?;
    let mut reader = csv::Reader::from_reader(bytes.as_slice());
    let broken = |e: csv::Error| format!("cannot read matrix.csv: {e}");
    let header = reader.headers().map_err(broken)?;
    if !header.iter().skip(1).eq(mutants.iter().map(|m| m.id.as_str())) {
        return Err("matrix.csv is not about the mutants of mutants.json".into());
    }
    let mut rows = Vec::new();
    for row in reader.records() {
        let row = row.map_err(broken)?;
        if row.get(0) != tests.get(rows.len()).map(|t| t.id.as_str()) {
            return Err("matrix.csv is not about the tests of tests.json".into());
        }
        let cell = |c: &str| match c {
            "KO" => Ok(Cell::Ko),
            "PROBABLE" => Ok(Cell::Probable),
            "OK" => Ok(Cell::Ok),
            "UNCERTAIN" => Ok(Cell::Uncertain),
            other => Err(format!("matrix.csv: `{other}` is no verdict")),
        };
        rows.push(row.iter().skip(1).map(cell).collect::<Result<Vec<Cell>, _>>()?);
    }
    if rows.len() == tests.len() { Ok(rows) } else { Err("matrix.csv lacks tests of tests.json".into()) }
}

impl Run {
    /// What a checked implementation returned at a test: the same id at the same input.
    pub(super) fn observed(&self, test: &Test) -> Option<&Observed> {
        let check = self.check.as_ref()?;
        check.tests.iter().find(|o| o.id == test.id && o.inputs == test.inputs)
    }

    /// The indices of the mutants with a status.
    pub(super) fn with_status<'a>(&'a self, status: &'a str) -> impl Iterator<Item = usize> + 'a {
        (0..self.mutants.len()).filter(move |m| self.mutants[*m].status == status)
    }

    /// Whether a mutant is one of those that stand for all that are killed.
    pub(super) fn is_minimal(&self, m: &Mutant) -> bool {
        self.summary.minimal.is_some() && m.status == "killed" && m.subsumed_by.is_none()
    }

    /// The mutants that a test kills, surely or probably.
    pub(super) fn kills(&self, test: usize) -> impl Iterator<Item = &Mutant> {
        let cells = self.mutants.iter().zip(&self.cells[test]);
        cells.filter(|(_, c)| matches!(c, Cell::Ko | Cell::Probable)).map(|(m, _)| m)
    }
}

/// A number of the files.
pub(super) fn number(text: Option<&String>) -> Option<f64> {
    from_hex(text?)
}
