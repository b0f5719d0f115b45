//! The tests that are put to an implementation: inputs with what the specification asks there.

use crate::num::Ternary;
use crate::num::float::{decimal, hex};
use crate::oracle::formula::Formula;
use crate::oracle::{Ladder, Oracle, Verdict, all_hold, oracle};
use crate::spec::{InputBox, OutOfRange, Spec};
use crate::suite::{Expectation, Test};
use crate::testfile::{Expected, TestRecord};
use std::collections::HashMap;

/// One test.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its id, unique.
    pub id: String,
    /// The input, values of the input formats.
    pub input: Vec<f64>,
    /// What an implementation owes.
    pub expectation: Expectation,
}

impl From<&Test> for Case {
    fn from(test: &Test) -> Self {
        Case { id: test.id.clone(), input: test.input.clone(), expectation: test.expectation.clone() }
    }
}

/// The tests of a file, with notes about inputs that are none.
#[derive(Clone, Debug, Default)]
pub struct Cases {
    /// The tests, in the order of the file.
    pub cases: Vec<Case>,
    /// What was left out, and why.
    pub notes: Vec<String>,
}

/// What the specification asks at the inputs of a file. What the file itself says of the result must agree with it.
/// `cap` is the last precision of the ladder in bits.
///
/// # Errors
/// For each test that does not agree or whose id is taken: its line, and a sentence.
pub fn cases(spec: &Spec, records: &[TestRecord], cap: u32) -> Result<Cases, Vec<(usize, String)>> {
    let domain = InputBox::new(spec).map_err(|e| vec![(1, e.to_string())])?;
    let asked = Asked { formula: Formula::new(spec), domain, cap };
    let (mut found, mut problems) = (Cases::default(), Vec::new());
    let mut lines: HashMap<&str, usize> = HashMap::new();
    for record in records {
        if let Some(line) = lines.insert(&record.id, record.line) {
            problems.push((record.line, format!("the test {} is in line {line} already", record.id)));
            continue;
        }
        let expectation = asked.at(&record.input);
        let differs = contradiction(record, &expectation);
        if let Some(why) = &differs
            && matches!(expectation, Expectation::OutOfRange(_))
            && !spec.out_of_range_stated
        {
            let unwritten = "which fails nothing, since the specification writes no :magneto-out-of-range";
            found.notes.push(format!("{} (line {}): {why}, {unwritten}", record.id, record.line));
            found.cases.push(Case { id: record.id.clone(), input: record.input.clone(), expectation });
        } else if let Some(why) = differs {
            problems.push((record.line, format!("the test {}: {why}", record.id)));
        } else if expectation == Expectation::Result(Oracle::Unsatisfiable) {
            let format = spec.result_format.name();
            found.notes.push(format!(
                "{} is left out: no {format} number meets the accuracy there, which is a finding about the specification",
                record.id
            ));
        } else if expectation == Expectation::Result(Oracle::Undefined) {
            let why = "the formula has no value there, and :pre does not exclude the input, so that nothing is owed";
            found.notes.push(format!("{} is left out: {why}", record.id));
        } else {
            found.cases.push(Case { id: record.id.clone(), input: record.input.clone(), expectation });
        }
    }
    if problems.is_empty() { Ok(found) } else { Err(problems) }
}

/// A specification ready to be asked what it owes.
struct Asked<'a> {
    formula: Formula<'a>,
    domain: InputBox,
    cap: u32,
}

impl Asked<'_> {
    fn at(&self, input: &[f64]) -> Expectation {
        let outside = Expectation::OutOfRange(self.formula.spec.out_of_range);
        if !self.domain.contains(input) {
            return outside;
        }
        let mut ladder = Ladder::new(&self.formula.tape, input, self.cap);
        match all_hold(&mut ladder, &self.formula.conditions) {
            Ternary::False => return outside,
            Ternary::Unknown => return Expectation::Result(Oracle::Unsettled),
            Ternary::True => {}
        }
        Expectation::Result(oracle(&mut ladder, self.formula.function(), self.formula.spec.result_format))
    }
}

/// Why what a file says of a test is not what the specification says.
fn contradiction(record: &TestRecord, asked: &Expectation) -> Option<String> {
    let named = |r: OutOfRange| r.name();
    let show = |x: f64| format!("{} ({})", hex(x), decimal(x));
    match (asked, record.expected) {
        // NaN is how a plain function refuses.
        (Expectation::OutOfRange(OutOfRange::Reject), Some(Expected::Response(OutOfRange::Nan))) => return None,
        (Expectation::OutOfRange(owed), Some(Expected::Response(said))) if *owed != said => {
            return Some(format!("the file expects `{}`, and the specification `{}`", named(said), named(*owed)));
        }
        (Expectation::Result(Oracle::Undefined), _) => return None,
        (Expectation::Result(_), Some(Expected::Response(said))) => {
            return Some(format!("the file expects `{}`, and the specification asks for a result", named(said)));
        }
        (Expectation::OutOfRange(owed), expected) => {
            let says_result =
                matches!(expected, Some(Expected::Value(_))) || record.lo.is_some() || record.hi.is_some();
            return says_result.then(|| {
                let owed = named(*owed);
                format!(
                    "the file expects a result, and for the specification the input is outside the domain (`{owed}`)"
                )
            });
        }
        (Expectation::Result(oracle), Some(Expected::Value(y))) if oracle.verdict(y) == Verdict::Ko => {
            return Some(format!("the file expects {}, which the specification does not accept", show(y)));
        }
        (Expectation::Result(_), _) => {}
    }
    let Expectation::Result(Oracle::Decided { lo, hi, .. } | Oracle::Capped { outer: (lo, hi), .. }) = asked else {
        return None;
    };
    let differs = |name: &str, said: Option<f64>, own: f64| {
        said.filter(|x| *x != own)
            .map(|x| format!("the file has {name} = {}, and the specification {}", show(x), show(own)))
    };
    differs("lo", record.lo, *lo).or_else(|| differs("hi", record.hi, *hi))
}
