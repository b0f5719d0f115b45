//! `tests.json` and `tests.csv`: the tests with what they ask for.

use super::manifest::ManifestInput;
use super::number::{decimal, from_hex};
use super::table::Table;
use super::{Document, Fields, Suite};
use crate::floats::Format;
use crate::harness::Case;
use crate::num::float::hex;
use crate::oracle::Oracle;
use crate::spec::{OutOfRange, Spec};
use crate::suite::{Expectation, MatrixCell};
use crate::testfile::columns::{AFTER, BEFORE, INTEGER};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `tests.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tests {
    /// The name of the specification.
    pub specification: String,
    /// The requirement that it answers to.
    pub requirement: Option<String>,
    /// The floating-point format of results.
    pub result_format: String,
    /// Whether the run was interrupted before all tests were found; not written where it was not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// The tests in the order in which they were found.
    pub tests: Vec<TestRow>,
}

impl Document for Tests {
    const SCHEMA: &'static str = "magneto/tests/3";
}

/// One test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TestRow {
    /// Its id.
    pub id: String,
    /// The exact inputs by name, in the order of the specification.
    pub inputs: Fields<String>,
    /// The same in decimal.
    pub inputs_dec: Fields<String>,
    /// The smallest right result; none outside the domain. At the precision cap, the smallest that may be right.
    pub lo: Option<String>,
    /// The same in decimal.
    pub lo_dec: Option<String>,
    /// The largest right result.
    pub hi: Option<String>,
    /// The same in decimal.
    pub hi_dec: Option<String>,
    /// The value of the result format nearest to f; outside the domain the response that is owed.
    pub expected: Option<String>,
    /// The value in decimal.
    pub expected_dec: Option<String>,
    /// At the precision cap only: from here on results surely are right.
    pub inner_lo: Option<String>,
    /// At the precision cap only: up to here results surely are right.
    pub inner_hi: Option<String>,
    /// How many mutants it kills; `matrix.csv` says which.
    pub kills: usize,
    /// How many mutants it kills probably: of the accuracy.
    pub probable: usize,
    /// Where it came from.
    pub origin: String,
    /// The mutant for which it was made.
    pub target: Option<String>,
    /// Why it is there, for a reader.
    pub reason: String,
}

/// What a test's row says of the result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Owed {
    /// The ends of the valid interval; of a capped oracle, of the largest that may be valid.
    pub bounds: Option<(f64, f64)>,
    /// Of a capped oracle, the interval that surely is valid.
    pub inner: Option<(f64, f64)>,
    /// The value of the result format nearest to f.
    pub value: Option<f64>,
    /// The response that is owed outside the domain.
    pub response: Option<&'static str>,
}

impl Owed {
    /// Of what a test asks.
    #[must_use]
    pub fn new(expectation: &Expectation) -> Self {
        match expectation {
            Expectation::OutOfRange(r) => Owed { response: Some(r.name()), ..Owed::default() },
            Expectation::Result(Oracle::Decided { lo, hi, expected }) => {
                Owed { bounds: Some((*lo, *hi)), value: Some(*expected), ..Owed::default() }
            }
            Expectation::Result(Oracle::Capped { outer, inner }) => {
                Owed { bounds: Some(*outer), inner: Some(*inner), ..Owed::default() }
            }
            Expectation::Result(Oracle::Unsatisfiable | Oracle::Undefined | Oracle::Unsettled) => Owed::default(),
        }
    }

    /// The column `expected`.
    #[must_use]
    pub fn expected(&self) -> Option<String> {
        self.value.map(hex).or(self.response.map(str::to_owned))
    }
}

/// The inputs by name.
#[must_use]
pub fn named(spec: &Spec, x: &[f64], show: fn(f64) -> String) -> Fields<String> {
    Fields(spec.inputs.iter().zip(x).map(|(i, x)| (i.name.clone(), show(*x))).collect())
}

impl TestRow {
    /// What the row asks of an implementation; none where it is not a test as runs write them.
    #[must_use]
    pub fn case(&self) -> Option<Case> {
        let number = |text: &Option<String>| text.as_deref().map(from_hex);
        let input = self.inputs.0.iter().map(|(_, x)| from_hex(x)).collect::<Option<Vec<f64>>>()?;
        let ends = [&self.lo, &self.hi, &self.inner_lo, &self.inner_hi].map(number);
        let expectation = match ends {
            [Some(lo), Some(hi), None, None] => {
                Expectation::Result(Oracle::Decided { lo: lo?, hi: hi?, expected: number(&self.expected)?? })
            }
            [Some(lo), Some(hi), Some(inner_lo), Some(inner_hi)] => {
                Expectation::Result(Oracle::Capped { outer: (lo?, hi?), inner: (inner_lo?, inner_hi?) })
            }
            _ => Expectation::OutOfRange(
                OutOfRange::ALL.into_iter().find(|r| Some(r.name()) == self.expected.as_deref())?,
            ),
        };
        Some(Case { id: self.id.clone(), input, expectation })
    }
}

impl Tests {
    /// Of what a run found.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let one = |(t, test): (usize, &crate::suite::Test)| {
            let owed = Owed::new(&test.expectation);
            let count =
                |wanted: fn(&MatrixCell) -> bool| suite.generated.matrix[t].known().filter(|(_, c)| wanted(c)).count();
            let target = test.target.and_then(|t| suite.generated.mutants.get(t)).map(|j| j.mutant.id.clone());
            TestRow {
                id: test.id.clone(),
                inputs: named(suite.spec, &test.input, hex),
                inputs_dec: named(suite.spec, &test.input, decimal),
                lo: owed.bounds.map(|b| hex(b.0)),
                lo_dec: owed.bounds.map(|b| decimal(b.0)),
                hi: owed.bounds.map(|b| hex(b.1)),
                hi_dec: owed.bounds.map(|b| decimal(b.1)),
                expected: owed.expected(),
                expected_dec: owed.value.map(decimal),
                inner_lo: owed.inner.map(|b| hex(b.0)),
                inner_hi: owed.inner.map(|b| hex(b.1)),
                kills: count(|c| matches!(c, MatrixCell::Ko { .. })),
                probable: count(|c| matches!(c, MatrixCell::Probable)),
                origin: test.origin.name().to_owned(),
                target,
                reason: test.reason.clone(),
            }
        };
        Tests {
            specification: suite.spec.name.clone(),
            requirement: suite.spec.requirement.clone(),
            result_format: suite.spec.result_format.name().to_owned(),
            interrupted: suite.generated.interrupted,
            tests: suite.generated.tests.iter().enumerate().map(one).collect(),
        }
    }

    /// `tests.csv`. Who has the file need not have the documents: it is a test file as a person would bring it.
    #[must_use]
    pub fn table(&self, inputs: &[ManifestInput]) -> Vec<u8> {
        let owned = |names: &[&str]| names.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        let columns = inputs.iter().flat_map(|i| [i.column.clone(), format!("{}_dec", i.column)]);
        let scaled = |name: &str| Format::from_name(name).filter(|f| f.is_fixed() && f.least_exponent() != 0);
        let of_inputs: Vec<Option<Format>> = inputs.iter().map(|i| scaled(&i.format)).collect();
        let of_result = scaled(&self.result_format);
        // The integers of fixed-point numbers stand behind all else.
        let integers = inputs.iter().zip(&of_inputs).filter(|(_, f)| f.is_some()).map(|(i, _)| i.column.as_str());
        let integers = integers.chain(of_result.iter().flat_map(|_| ["lo", "hi", "expected"]));
        let integers = integers.map(|name| format!("{name}{INTEGER}"));
        let mut table = Table::new(owned(&BEFORE).into_iter().chain(columns).chain(owned(&AFTER)).chain(integers));
        for test in &self.tests {
            let kills = test.kills.to_string();
            let mut row = vec![test.id.as_str()];
            let pairs = test.inputs.0.iter().zip(&test.inputs_dec.0);
            row.extend(pairs.flat_map(|((_, exact), (_, dec))| [exact.as_str(), dec.as_str()]));
            let owed = [&test.lo, &test.lo_dec, &test.hi, &test.hi_dec, &test.expected, &test.expected_dec];
            row.extend(owed.map(|cell| cell.as_deref().unwrap_or_default()));
            row.extend([kills.as_str(), &test.origin]);
            row.extend([&test.inner_lo, &test.inner_hi].map(|cell| cell.as_deref().unwrap_or_default()));
            row.push(&test.reason);
            let integer =
                |text: &str, format: Format| from_hex(text).map_or(String::new(), |x| format.rank(x).to_string());
            let inputs = test.inputs.0.iter().zip(&of_inputs);
            let mut integers: Vec<String> =
                inputs.filter_map(|((_, x), format)| Some(integer(x, (*format)?))).collect();
            if let Some(format) = of_result {
                let owed = [&test.lo, &test.hi, &test.expected];
                integers.extend(owed.map(|text| integer(text.as_deref().unwrap_or_default(), format)));
            }
            row.extend(integers.iter().map(String::as_str));
            table.row(row);
        }
        table.finish()
    }
}
