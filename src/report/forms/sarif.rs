//! SARIF 2.1.0: what is not killed, at its place in the specification. Undecided mutants are warnings, probable ones
//! notes, accepted ones warnings that are suppressed, with name and reason. What is killed or proved is no result. An implementation
//! that `check` found to be wrong is an error, one that it could not settle a warning.

use super::{MutantRow, Stored, TestRow, change, ids};
use crate::mutate::MutationOperator;
use crate::record::check::Check;
use crate::record::json::text as pretty;
use crate::record::manifest::VERSION;
use crate::record::store::FileKind;
use crate::suite::Standing;
use crate::unfit::Unfit;
use serde_json::{Value, json};
use std::collections::HashMap;

/// By what a file of it is known.
pub(super) const KIND: FileKind = FileKind {
    name: "a SARIF file",
    start: "{\n  \"$schema\": \"https://json.schemastore.org/sarif-",
    inside: "\"name\": \"Magneto\"",
};

pub(super) fn text(run: &[Stored]) -> Result<Vec<u8>, Unfit> {
    let mut owners: HashMap<&str, usize> = HashMap::new();
    run.iter().flat_map(Stored::mutants).for_each(|m| *owners.entry(&m.id).or_default() += 1);
    // Specifications may share a formula, and then their mutants have one id.
    let known_by = |one: &Stored, m: &MutantRow| match owners.get(m.id.as_str()) {
        Some(2..) => one.unique(&m.id),
        _ => m.id.clone(),
    };
    let of = |one| result_of(one, &known_by);
    let checks = run.iter().flat_map(|one| one.checks.iter().filter_map(|check| wrong(one, check)));
    let results: Vec<Value> = run.iter().flat_map(of).chain(checks).collect();
    let mut files: Vec<&Stored> = run.iter().collect();
    files.sort_by(|a, b| a.file.cmp(&b.file));
    files.dedup_by(|a, b| a.file == b.file);
    let artifact = |one: &&Stored| json!({ "location": location(one), "hashes": { "sha-256": one.sha256() } });
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Magneto",
                "version": VERSION,
                "rules": MutationOperator::ALL.map(rule).into_iter().chain([implementation_rule()]).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": !run.iter().any(|one| one.part.manifest.interrupted) }],
            "artifacts": files.iter().map(artifact).collect::<Vec<_>>(),
            "results": results,
        }],
    });
    Ok(pretty(&document))
}

/// The rule of an operator.
fn rule(operator: MutationOperator) -> Value {
    let (change, help) = operator.mistake();
    json!({
        "id": operator.name(),
        "name": format!("{}Mutant", capital(operator.name())),
        "shortDescription": { "text": format!("No test is known to tell the specification from one with {change}.") },
        "fullDescription": { "text": format!(
            "A mutant of the specification, with {change}, is neither killed by a test nor proved to be harmless. \
             Objective: {}.", operator.objective()
        ) },
        "help": { "text": format!(
            "{help} `magneto explain SPEC ID` says what was tried. A larger --budget or a smaller --delta-min may settle \
             it; `magneto accept SPEC ID --by WHO --reason WHY` records that nobody need."
        ) },
        "defaultConfiguration": { "level": "warning" },
        "properties": { "tags": ["mutation-testing", operator.objective()] },
    })
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn result_of<'a>(
    one: &'a Stored,
    known_by: &'a impl Fn(&Stored, &MutantRow) -> String,
) -> impl Iterator<Item = Value> + 'a {
    one.killed().filter_map(|(m, killers)| result((one, m, &killers), known_by(one, m)))
}

fn result((one, m, killers): (&Stored, &MutantRow, &[&TestRow]), fingerprint: String) -> Option<Value> {
    let level = match m.status {
        Some(Standing::Undecided | Standing::Accepted) => "warning",
        Some(Standing::Probable) => "note",
        _ => return None,
    };
    let said = match m.status {
        Some(Standing::Probable) => format!("probably seen by {}, without proof", ids(killers).join(", ")),
        _ => m.why().to_owned(),
    };
    let mut result = json!({
        "ruleId": m.operator,
        "ruleIndex": MutationOperator::ALL.iter().position(|o| *o == m.operator),
        "level": level,
        "message": { "text": format!("{} mutant {} of {}: {}. {said}", m.status_word(), m.id, one.name(), change(m)) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": location(one),
                "region": {
                    "startLine": m.line,
                    "startColumn": m.column,
                    "endLine": m.end_line,
                    "endColumn": m.end_column,
                },
            },
            "logicalLocations": [{ "name": one.name(), "kind": "function" }],
        }],
        "fingerprints": { "magneto/mutant/v1": fingerprint },
    });
    if let Some(requirement) = one.requirement() {
        result["properties"] = json!({ "requirement": requirement });
    }
    if let Some(a) = &m.accepted {
        let justification = format!("accepted by {}: {}", a.by, a.reason);
        result["suppressions"] = json!([{ "kind": "external", "status": "accepted", "justification": justification }]);
    }
    Some(result)
}

fn implementation_rule() -> Value {
    json!({
        "id": IMPLEMENTATION,
        "name": "WrongImplementation",
        "shortDescription": { "text": "An implementation does not return what its specification asks for." },
        "fullDescription": { "text": "`magneto check` ran an implementation on the specification's tests, and not all results are right." },
        "help": { "text": "`magneto check` shows the worst results and what they look like." },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": ["conformance"] },
    })
}

/// The id of the rule for implementations.
const IMPLEMENTATION: &str = "implementation";

/// An implementation that did not pass, at the place of its specification: a run does not know where that of its source is.
fn wrong(one: &Stored, check: &Check) -> Option<Value> {
    if check.exit == 0 {
        return None;
    }
    let about = &one.part.manifest.specification;
    let ko = check.counts.ko + if check.robustness_counts { check.robustness.ko } else { 0 };
    let tests = check.counts.tests + check.robustness.tests;
    let said = match &check.broken {
        Some(broken) => format!("could not be run: {}", broken.reason),
        None if ko > 0 => format!("is wrong at {ko} of {tests} tests"),
        None => "is not settled at some tests".to_owned(),
    };
    let mut result = json!({
        "ruleId": IMPLEMENTATION,
        "ruleIndex": MutationOperator::ALL.len(),
        "level": if ko > 0 { "error" } else { "warning" },
        "message": { "text": format!("implementation {} of {} {said}", check.label(), one.name()) },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": location(one),
                "region": { "startLine": about.line, "startColumn": about.column },
            },
            "logicalLocations": [{ "name": one.name(), "kind": "function" }],
        }],
        "fingerprints": { "magneto/implementation/v1": one.unique(&format!("{} {}", one.name(), check.label())) },
    });
    if let Some(requirement) = one.requirement() {
        result["properties"] = json!({ "requirement": requirement });
    }
    Some(result)
}

fn location(one: &Stored) -> Value {
    json!({ "uri": uri(&one.file) })
}

/// A relative reference (RFC 3986): everything but unreserved characters and `/` in percent-encoding.
fn uri(path: &str) -> String {
    let one = |b: u8| match b {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(b).to_string(),
        _ => format!("%{b:02X}"),
    };
    path.bytes().map(one).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn uris() {
        assert_eq!(super::uri("a b/ä:c.fpcore"), "a%20b/%C3%A4%3Ac.fpcore");
    }
}
