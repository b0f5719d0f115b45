//! Stryker's mutation testing report, version 2 of its schema (github.com/stryker-mutator/mutation-testing-elements).
//!
//! | here | there |
//! |---|---|
//! | killed | `Killed` |
//! | undecided | `Survived` |
//! | probable | `Ignored`: no proof of a kill, and accuracy mutants are no part of the rigorous score |
//! | equivalent, indistinguishable | `Ignored`, with the proof |
//! | accepted | `Ignored`, with name and reason |
//!
//! So the score that a viewer computes, killed / (killed + survived), is at most the rigorous score, and the same where no
//! accuracy mutant is undecided. Every test is judged on every mutant, so that all tests cover each.

use super::{INTERRUPTED, MutantRow, Stored, TestRow, change, ids, inputs_of};
use crate::record::json;
use crate::record::manifest::VERSION;
use crate::record::store::FileKind;
use crate::suite::Standing;
use crate::unfit::Unfit;
use serde::Serialize;
use std::collections::BTreeMap;

/// By what a file of it is known.
pub(super) const KIND: FileKind =
    FileKind { name: "a report of Stryker", start: "{\n  \"schemaVersion\"", inside: "\"name\": \"Magneto\"" };

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schema_version: &'static str,
    thresholds: Thresholds,
    framework: Framework,
    config: BTreeMap<&'a str, BTreeMap<&'a str, Option<&'a str>>>,
    files: BTreeMap<&'a str, File<'a>>,
    test_files: BTreeMap<String, TestFile>,
}

/// From which percentage on a viewer shows green, and up to which red.
#[derive(Serialize)]
struct Thresholds {
    high: u8,
    low: u8,
}

#[derive(Serialize)]
struct Framework {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct File<'a> {
    language: &'static str,
    source: &'a str,
    mutants: Vec<Row<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    id: String,
    mutator_name: &'a str,
    description: String,
    replacement: &'a str,
    location: Location,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    killed_by: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    covered_by: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Location {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct TestFile {
    tests: Vec<Definition>,
}

#[derive(Serialize)]
struct Definition {
    id: String,
    name: String,
}

pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, Unfit> {
    let mut document = Document {
        schema_version: "2.0",
        thresholds: Thresholds { high: 100, low: 80 },
        framework: Framework { name: "Magneto", version: VERSION },
        config: BTreeMap::new(),
        files: BTreeMap::new(),
        test_files: BTreeMap::new(),
    };
    for one in run {
        let options = one.part.manifest.options.iter().map(|o| (o.name.as_str(), o.value.as_deref()));
        let interrupted = one.part.manifest.interrupted.then_some((INTERRUPTED, Some("true")));
        let options = options.chain(interrupted).collect();
        document.config.insert(if one.folder.is_empty() { one.name() } else { &one.folder }, options);
        // Several specifications may stand in one file.
        let file = document.files.entry(&one.file);
        let file = file.or_insert_with(|| File { language: "scheme", source: &one.source, mutants: Vec::new() });
        let all: Vec<String> = one.tests().iter().map(|t| one.unique(&t.id)).collect();
        file.mutants.extend(one.killed().map(|(m, killers)| row((one, m, &killers), &all)));
        let tests = one.tests().iter().map(|t| {
            let name = format!("{} {}: {}", one.name(), t.id, inputs_of(t));
            Definition { id: one.unique(&t.id), name }
        });
        document.test_files.insert(one.unique("tests.csv"), TestFile { tests: tests.collect() });
    }
    Ok(json::text(&document))
}

fn row<'a>((one, m, killers): (&Stored, &'a MutantRow, &[&TestRow]), all: &[String]) -> Row<'a> {
    let status = match m.status {
        Some(Standing::Killed) => "Killed",
        Some(Standing::Undecided | Standing::Missed) | None => "Survived",
        Some(Standing::Probable | Standing::Equivalent | Standing::Indistinguishable | Standing::Accepted) => "Ignored",
    };
    let reason = match (m.status, &m.accepted, &m.margin) {
        (Some(Standing::Killed), _, Some(margin)) if margin == "inf" => {
            "killed: a result of one of the two is none of the other, whatever the bound".to_owned()
        }
        (Some(Standing::Killed), _, Some(margin)) => {
            format!("killed: the valid sets are up to {margin} x the bound apart")
        }
        (Some(Standing::Killed), ..) => String::new(),
        (Some(Standing::Probable), ..) => {
            format!("probable: a mutant of the accuracy, which {} may see", ids(killers).join(", "))
        }
        (_, Some(a), _) => format!("accepted by {}: {}", a.by, a.reason),
        _ => format!("{}: {}", m.status_word(), m.why()),
    };
    let judged = status != "Ignored";
    let by: Vec<String> = killers.iter().map(|t| one.unique(&t.id)).collect();
    Row {
        id: one.unique(&m.id),
        mutator_name: m.operator.name(),
        description: format!("{} ({} objective)", change(m), m.objective),
        replacement: &m.after,
        location: Location {
            start: Position { line: m.line, column: m.column },
            end: Position { line: m.end_line, column: m.end_column },
        },
        status,
        status_reason: Some(reason).filter(|r| !r.is_empty()),
        killed_by: Some(by).filter(|_| status == "Killed"),
        covered_by: judged.then(|| all.to_vec()),
    }
}
