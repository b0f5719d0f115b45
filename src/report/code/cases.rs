//! The tests of a run's folder, as needed to write code.

use super::names::{comment, identifier, identifiers};
use crate::num::float::Format;
use crate::record::manifest::VERSION;
use crate::record::number::from_hex;
use crate::record::tests::Test;
use crate::record::{self, Error, Part};
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
pub fn read(dir: &Path) -> Result<Vec<Cases>, Error> {
    let folders = record::read::folders(dir)?;
    let mut all: Vec<Cases> = folders.iter().map(|folder| one(&dir.join(folder))).collect::<Result<_, _>>()?;
    let names = identifiers(all.iter().map(|c| c.ident.as_str()).collect::<Vec<_>>());
    all.iter_mut().zip(names).for_each(|(cases, name)| cases.ident = name);
    Ok(all)
}

fn one(folder: &Path) -> Result<Cases, Error> {
    let Part { manifest, tests, .. } = Part::read(folder)?;
    let broken = |file: &str, what: &str| Error::Misfit(format!("{} lacks {what}", folder.join(file).display()));
    let about = &manifest.specification;
    let formats: Option<Vec<Format>> = about.inputs.iter().map(|i| Format::from_name(&i.format)).collect();
    let formats = formats.ok_or_else(|| broken("manifest.json", "an input's format"))?;
    let result = Format::from_name(&about.result_format);
    let result = result.ok_or_else(|| broken("manifest.json", "the result's format"))?;

    let spelled: Vec<&str> = about.inputs.iter().map(|i| i.name.as_str()).collect();
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for test in &tests.tests {
        let needs = || broken("tests.json", &format!("what test `{}` needs", test.id));
        let case = case(test, &spelled).ok_or_else(needs)?;
        match &case.duty {
            Duty::Within { .. } => inside.push(case),
            // Nothing is owed, so that there is nothing to test.
            Duty::Response(r) if r == "any" => {}
            Duty::Response(_) => outside.push(case),
        }
    }
    let (name, accuracy) = (&about.name, &about.accuracy);
    let traced = about.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
    let about_lines = [
        format!("Tests of {name}{traced}, {} {VERSION} from {}. Do not edit.", super::MARK, about.file),
        format!("Accuracy: {accuracy}. A right result y satisfies lo <= y && y <= hi; NaN and infinities do not."),
        "The ids in `kills` are those of mutants.csv; trace.csv has all of them.".to_owned(),
    ];
    let raw = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|e| Error::File(path, e))
    };
    Ok(Cases {
        ident: identifier(name),
        inputs: identifiers(spelled.iter().copied()).into_iter().zip(formats).collect(),
        result,
        requirement: about.requirement.clone(),
        about: about_lines.iter().map(|line| comment(line)).collect(),
        inside,
        outside,
        csv: raw("tests.csv")?,
        json: raw("tests.json")?,
    })
}

fn case(test: &Test, inputs: &[&str]) -> Option<Case> {
    let number = |text: &Option<String>| text.as_deref().and_then(from_hex);
    let input = inputs.iter().map(|name| from_hex(test.inputs.get(name)?)).collect::<Option<Vec<f64>>>()?;
    let duty = match (number(&test.lo), number(&test.hi)) {
        (Some(lo), Some(hi)) => Duty::Within { lo, hi },
        _ => Duty::Response(test.expected.clone()?),
    };
    let mut why = format!("{}: {}", test.origin, test.reason);
    if test.inner_lo.is_some() {
        why.push_str("; at the precision cap, so that not every result within the bounds is surely right");
    }
    for (ids, word) in [(&test.kills, "kills"), (&test.probable, "probably kills")] {
        if !ids.is_empty() {
            let more = if ids.len() > NAMED { format!(" and {} more", ids.len() - NAMED) } else { String::new() };
            why = format!("{why}; {word} {}{more}", ids[..ids.len().min(NAMED)].join(" "));
        }
    }
    Some(Case { id: identifier(&test.id), input, duty, why: comment(&why) })
}
