//! The tests of a run's folder, as needed to write code.

use super::names::{comment, identifier, identifiers};
use crate::num::float::Format;
use crate::report::manifest::VERSION;
use crate::report::resume::from_hex;
use crate::report::stored::{folders, read_tests, read_versioned};
use serde_json::Value;
use std::path::Path;

/// How many mutants a comment names.
const NAMED: usize = 8;

/// What a test asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Duty {
    /// A result from `lo` to `hi`.
    Within {
        /// The smallest.
        lo: f64,
        /// The largest.
        hi: f64,
    },
    /// The response owed outside the domain: `reject`, `nan` or `saturate`.
    Response(String),
}

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// A value for each input.
    pub input: Vec<f64>,
    /// What it asks for.
    pub duty: Duty,
    /// Why it is there and what it kills, on one line.
    pub why: String,
}

/// The tests of one specification.
#[derive(Clone, Debug)]
pub struct Cases {
    /// The name of the specification as an identifier.
    pub ident: String,
    /// The inputs as identifiers, with their formats.
    pub inputs: Vec<(String, Format)>,
    /// The format of the result.
    pub result: Format,
    /// The requirement.
    pub requirement: Option<String>,
    /// What a file's first comment says, line by line.
    pub about: Vec<String>,
    /// Tests at inputs of the domain.
    pub inside: Vec<Case>,
    /// Tests at other inputs.
    pub outside: Vec<Case>,
    pub(super) csv: String,
    pub(super) json: String,
}

/// Reads the tests of all specifications of a run.
///
/// # Errors
/// A sentence that says what is missing or does not fit.
pub fn read(dir: &Path) -> Result<Vec<Cases>, String> {
    let mut all: Vec<Cases> = folders(dir)?.iter().map(|folder| one(folder)).collect::<Result<_, _>>()?;
    let names = identifiers(all.iter().map(|c| c.ident.as_str()).collect::<Vec<_>>());
    all.iter_mut().zip(names).for_each(|(cases, name)| cases.ident = name);
    Ok(all)
}

fn one(folder: &Path) -> Result<Cases, String> {
    let path = folder.join("manifest.json");
    let manifest = read_versioned(&path, "magneto/manifest/1")?;
    let specification = &manifest["specification"];
    let broken = |path: &Path, what: &str| format!("{} lacks {what}", path.display());
    let format = |value: &Value| value.as_str().and_then(Format::from_name);
    let listed = specification["inputs"].as_array().ok_or_else(|| broken(&path, "the inputs"))?;
    let spelled: Vec<&str> = listed.iter().filter_map(|i| i["name"].as_str()).collect();
    let formats: Option<Vec<Format>> = listed.iter().map(|i| format(&i["format"])).collect();
    let formats = formats.filter(|f| f.len() == spelled.len()).ok_or_else(|| broken(&path, "an input's format"))?;
    let result = format(&specification["result_format"]).ok_or_else(|| broken(&path, "the result's format"))?;

    let document = read_tests(folder)?;
    let tests = folder.join("tests.json");
    let rows = document["tests"].as_array().ok_or_else(|| broken(&tests, "the tests"))?;
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for row in rows {
        let id = row["id"].as_str().unwrap_or_default();
        let case = case(row, &spelled).ok_or_else(|| broken(&tests, &format!("what test `{id}` needs")))?;
        match &case.duty {
            Duty::Within { .. } => inside.push(case),
            // Nothing is owed, so that there is nothing to test.
            Duty::Response(r) if r == "any" => {}
            Duty::Response(_) => outside.push(case),
        }
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let requirement = specification["requirement"].as_str().map(str::to_owned);
    let (name, accuracy) = (text(&specification["name"]), text(&specification["accuracy"]));
    let traced = requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let about = [
        format!(
            "Tests of {name}{traced}, {} {VERSION} from {}. Do not edit.",
            super::MARK,
            text(&specification["file"])
        ),
        format!("Accuracy: {accuracy}. A right result y satisfies lo <= y && y <= hi; NaN and infinities do not."),
        "The ids in `kills` are those of mutants.csv; trace.csv has all of them.".to_owned(),
    ];
    let raw = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))
    };
    Ok(Cases {
        ident: identifier(&name),
        inputs: identifiers(spelled.iter().copied()).into_iter().zip(formats).collect(),
        result,
        requirement,
        about: about.iter().map(|line| comment(line)).collect(),
        inside,
        outside,
        csv: raw("tests.csv")?,
        json: raw("tests.json")?,
    })
}

fn case(row: &Value, inputs: &[&str]) -> Option<Case> {
    let number = |value: &Value| value.as_str().and_then(from_hex);
    let input = inputs.iter().map(|name| number(&row["inputs"][name])).collect::<Option<Vec<f64>>>()?;
    let duty = match (number(&row["lo"]), number(&row["hi"])) {
        (Some(lo), Some(hi)) => Duty::Within { lo, hi },
        _ => Duty::Response(row["expected"].as_str()?.to_owned()),
    };
    let ids = |key: &str| row[key].as_array().map_or(Vec::new(), |l| l.iter().filter_map(Value::as_str).collect());
    let mut why = row["origin"].as_str()?.to_owned();
    if let Some(reason) = row["reason"].as_str() {
        why = format!("{why}: {reason}");
    }
    if row["inner_lo"].is_string() {
        why.push_str("; at the precision cap, so that not every result within the bounds is surely right");
    }
    for (key, word) in [("kills", "kills"), ("probable", "probably kills")] {
        let ids: Vec<&str> = ids(key);
        if !ids.is_empty() {
            let more = if ids.len() > NAMED { format!(" and {} more", ids.len() - NAMED) } else { String::new() };
            why = format!("{why}; {word} {}{more}", ids[..ids.len().min(NAMED)].join(" "));
        }
    }
    Some(Case { id: identifier(row["id"].as_str()?), input, duty, why: comment(&why) })
}
