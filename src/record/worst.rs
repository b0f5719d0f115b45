//! `worst.json`: what a search for the worst input found.

use super::manifest::ManifestInput;
use super::matrix::VerdictWord;
use super::{Document, Fields, Provenance};
use crate::threads::Portion;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `worst.json`, and what `magneto worst --json` prints. Nothing in it depends on the time or the machine's load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Worst {
    /// The version of Magneto.
    pub magneto: String,
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The name of its file, without folders.
    pub file: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// The accuracy in words.
    pub accuracy: String,
    /// The inputs in order.
    pub inputs: Vec<ManifestInput>,
    /// The sizes of arrays that have a name.
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub sizes: Fields<usize>,
    /// The floating-point format of results.
    pub result_format: String,
    /// Which of the results of the implementation it is, counted from 0, and how many there are; not written of a function that returns a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_place: Option<[usize; 2]>,
    /// What was run, and how.
    pub implementation: Fields<String>,
    /// The exit code.
    pub exit: u8,
    /// Whether the search was stopped early.
    pub interrupted: bool,
    /// Why it could not be run, if it could not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// How often the implementation was called.
    pub evaluations: u64,
    /// What every input of the domain got, if all were looked at.
    pub exhaustive: Option<Exhaustive>,
    /// The worst result of each part of the domain in which there is one, the worst first.
    pub parts: Vec<WorstPart>,
    /// Stretches along one input in which results are wrong.
    pub regions: Vec<Region>,
    /// What came back instead of a finite number, the first of each kind.
    pub findings: Vec<Finding>,
    /// The worst results of another implementation, with which this one was compared.
    pub against: Option<Against>,
    /// For the picture, inputs with the largest errors by place, of one or two inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picture: Vec<Largest>,
}

impl Document for Worst {
    const SCHEMA: &'static str = "magneto/worst/1";
    const WRITER: &'static str = "worst";
}

impl Worst {
    /// What the implementation is called: by the name that it was given, else by its function or its kind.
    #[must_use]
    pub fn label(&self) -> &str {
        self.implementation.label()
    }
}

/// All inputs of the domain, one by one: a proof by enumeration for this build of the implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exhaustive {
    /// Whether the end was reached. Only then it is a proof.
    pub complete: bool,
    /// The values of the inputs' formats in their ranges: all combinations that there are.
    pub inputs: u64,
    /// How many of them were looked at.
    pub seen: u64,
    /// Those in the domain, where a result is owed.
    pub owed: u64,
    /// Of these: results surely within the bound.
    pub ok: u64,
    /// Results surely outside it, and what is no result.
    pub ko: u64,
    /// Not settled at the precision cap.
    pub uncertain: u64,
    /// No result has a larger error. Unit: ulps of the result format, rounded up.
    pub at_most_ulps: String,
}

/// A part of the domain with the worst result in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorstPart {
    /// Its name in `worst.csv`.
    pub id: String,
    /// The smallest value of each input.
    pub from: Fields<String>,
    /// The largest value of each input.
    pub to: Fields<String>,
    /// The input.
    pub input: Fields<String>,
    /// The same in decimal.
    pub input_dec: Fields<String>,
    /// The result.
    pub result: String,
    /// The smallest and the largest result that are right or, at the last precision, may be; none where no result of the format is.
    pub owed: Option<[String; 2]>,
    /// The error in units of the bound.
    pub tolerances: String,
    /// The error in units in the last place of the exact value.
    pub ulps: String,
    /// The verdict.
    pub verdict: VerdictWord,
}

/// A stretch along one input, the others held, in which most results that were looked at are wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Region {
    /// The input that moves.
    pub along: String,
    /// Its smallest wrong value that is known.
    pub from: String,
    /// Its largest wrong value that is known.
    pub to: String,
    /// An input in it.
    pub at: Fields<String>,
    /// How many inputs in it were tried.
    pub tried: u64,
    /// For how many of them the result is wrong.
    pub wrong: u64,
}

/// An input of the domain that got no finite number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Its name in `worst.csv`.
    pub id: String,
    /// The input.
    pub input: Fields<String>,
    /// What happened.
    pub what: String,
    /// The smallest and the largest result that are owed; none where that is not settled.
    pub owed: Option<[String; 2]>,
    /// How often something of that kind did.
    pub times: u64,
}

/// Another implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Against {
    /// What was run, and how.
    pub implementation: Fields<String>,
    /// Inputs at which either errs most, with both results.
    pub inputs: Vec<Compared>,
}

/// Two implementations at one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// The input.
    pub input: Fields<String>,
    /// The results, the first implementation's first; in words where there is none.
    pub results: [String; 2],
    /// Their errors in units in the last place of the exact value; none without a finite result.
    pub ulps: [Option<String>; 2],
    /// The verdicts.
    pub verdicts: [VerdictWord; 2],
}

/// `worst-resume.json`: how far an interrupted `magneto worst --exhaustive` came, or what a shard of one found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Enumeration {
    /// What made it.
    #[serde(flatten)]
    pub made: Provenance,
    /// The name of the specification.
    pub name: String,
    /// SHA-256 of the specification, with its accuracy and ranges as the flags leave them, and of the precision cap.
    pub specification: String,
    /// What is run, and how: another one begins anew.
    pub implementation: Fields<String>,
    /// Which shard this is: of so many blocks of inputs one; 1 of 1 where all inputs are looked at in one run.
    #[serde(flatten)]
    pub portion: Portion,
    /// How many inputs the domain has.
    pub all: u64,
    /// How many of them are the shard's.
    pub inputs: u64,
    /// How many of these were looked at.
    pub seen: u64,
    /// Those in the domain.
    pub owed: u64,
    /// Results within the bound.
    pub ok: u64,
    /// Results outside it, and what is no result.
    pub ko: u64,
    /// Not settled.
    pub uncertain: u64,
    /// No result has a larger error, in ulps; a hexadecimal number.
    pub at_most_ulps: String,
    /// Inputs with the largest errors, and findings.
    pub points: Vec<Point>,
    /// For the picture, inputs with the largest errors by place.
    pub picture: Vec<Largest>,
}

/// An input of an enumeration that is put again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Point {
    /// Its numbers, hexadecimal.
    pub input: Vec<String>,
    /// How often something of that kind was found; 0 for a result.
    pub times: u64,
}

/// The largest error near an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Largest {
    /// Its numbers, hexadecimal.
    pub input: Vec<String>,
    /// The error in units of the bound, a hexadecimal number.
    pub error: String,
}

impl Document for Enumeration {
    const SCHEMA: &'static str = "magneto/worst-resume/4";
    const WRITER: &'static str = "worst";
}
