//! The JSON schema of each document of a run's folder, from the very types that write and read it.

use super::{
    Document, Manifest, Overview, Summary, Versioned, check, checks, cover, covers, evaluation, lint, mutants, reach,
    resume, shard, share, solve, tests, verification, worst, worsts,
};
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// A document and its schema.
pub struct SchemaEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its schema, with the version.
    pub id: &'static str,
    /// The JSON schema (draft 2020-12) of the whole file.
    pub schema: fn() -> Value,
}

/// The entry of a document.
#[must_use]
pub const fn entry<D: Document>(name: &'static str, about: &'static str) -> SchemaEntry {
    SchemaEntry { name, about, id: D::SCHEMA, schema: of::<D> }
}

/// Every document but those of `bench`, which stand with it.
pub const ALL: [SchemaEntry; 23] = [
    entry::<Manifest>("manifest", "manifest.json: what the run depended on"),
    entry::<Summary>("summary", "summary.json of one specification: counts and scores"),
    entry::<Overview>("run", "summary.json of a run over several specifications"),
    entry::<tests::Tests>("tests", "tests.json: inputs with what they ask for"),
    entry::<mutants::Mutants>("mutants", "mutants.json, and `mutants --json`: the mutants with their statuses"),
    entry::<check::Check>("check", "check.json, and `check --json`: what an implementation did"),
    entry::<checks::Checks>(
        "checks",
        "checks.json, and `check --json` of several implementations: what became of each",
    ),
    entry::<evaluation::Evaluation>("eval", "eval.json, and `eval --json`: what a person's tests do"),
    entry::<worst::Worst>("worst", "worst.json, and `worst --json`: where an implementation errs most"),
    entry::<worsts::Worsts>(
        "worsts",
        "worsts.json, and `worst --json` of several implementations: where each errs most",
    ),
    entry::<worst::Enumeration>("worst-resume", "worst-resume.json: how far an interrupted enumeration came"),
    entry::<cover::CoveredFunction>("cover", "cover.json, and `cover --json`: what takes each branch of a function"),
    entry::<cover::CoveredFunctions>("cover-run", "cover.json of several functions"),
    entry::<covers::Covers>(
        "covers",
        "covers.json, and `cover --json` of several implementations: what became of the branches of each",
    ),
    entry::<reach::ListedPaths>("paths", "`reach --path --json` and `reach --paths --json`: paths of a function"),
    entry::<reach::ListedGoal>("reach", "`reach --json` of any other goal"),
    entry::<solve::ScriptAnswers>("solve-script", "solve.json of one script, and `solve --json` of it"),
    entry::<solve::ScriptsAnswers>("solve", "solve.json of several scripts"),
    entry::<lint::LintRun>("lint", "`lint --json`: findings about specifications before any run"),
    entry::<verification::Verification>(
        "verify",
        "verify.json, and `verify --json`: what the independent checker says of a run",
    ),
    entry::<resume::Resume>("resume", "resume.json: the answers of an interrupted run"),
    entry::<shard::Shard>("shard", "shard.json: which part of a run a folder holds"),
    entry::<share::Share>("share", "share.json: one part of a run of `cover`, `solve` or `bench`"),
];

/// The schema of a document as it is written: every field that is always there is required.
fn of<D: Document>() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = Value::from(generator.into_root_schema_for::<Versioned<D>>());
    schema["title"] = D::SCHEMA.into();
    schema
}
