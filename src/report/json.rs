//! The same in JSON. Floating-point numbers are strings.

use super::csv::Owed;
use super::number::decimal;
use super::{Suite, words};
use crate::mutate::{Mutant, Operator};
use crate::num::float::hex;
use crate::spec::Spec;
use crate::spec::diagnostic::line_column;
use crate::suite::subsumption::minimal;
use crate::suite::{Counts, Judged, Status};
use serde::{Serialize, Serializer};

/// A document as text: indented, a line end after it.
#[must_use]
pub fn text(document: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

/// Names with values, in order.
#[derive(Clone, Debug, Default)]
pub struct Fields<V>(pub Vec<(String, V)>);

impl<V: Serialize> Serialize for Fields<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(k, v)| (k, v)))
    }
}

/// `tests.json`.
#[derive(Serialize)]
pub struct Tests<'a> {
    schema: &'static str,
    specification: &'a str,
    requirement: Option<&'a str>,
    result_format: &'static str,
    tests: Vec<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    id: &'a str,
    inputs: Fields<String>,
    inputs_dec: Fields<String>,
    lo: Option<String>,
    lo_dec: Option<String>,
    hi: Option<String>,
    hi_dec: Option<String>,
    expected: Option<String>,
    expected_dec: Option<String>,
    inner_lo: Option<String>,
    inner_hi: Option<String>,
    kills: Vec<&'a str>,
    probable: Vec<&'a str>,
    origin: &'static str,
    target: Option<&'a str>,
    reason: &'a str,
}

/// `tests.json`.
#[must_use]
pub fn tests<'a>(suite: &Suite<'a>) -> Tests<'a> {
    let one = |(t, test): (usize, &'a crate::suite::Test)| {
        let owed = Owed::new(&test.expectation);
        let (kills, probable) = suite.killed_by(t);
        let target = test.target.and_then(|t| suite.generated.mutants.get(t)).map(|j| j.mutant.id.as_str());
        Test {
            id: &test.id,
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
            kills,
            probable,
            origin: test.origin.name(),
            target,
            reason: &test.reason,
        }
    };
    Tests {
        schema: "magneto/tests/2",
        specification: &suite.spec.name,
        requirement: suite.spec.requirement.as_deref(),
        result_format: suite.spec.result_format.name(),
        tests: suite.generated.tests.iter().enumerate().map(one).collect(),
    }
}

/// The inputs by name.
#[must_use]
pub fn named(spec: &Spec, x: &[f64], show: fn(f64) -> String) -> Fields<String> {
    Fields(spec.inputs.iter().zip(x).map(|(i, x)| (i.name.clone(), show(*x))).collect())
}

/// `mutants.json`, and what `magneto mutants --json` prints.
#[derive(Serialize)]
pub struct Mutants<'a> {
    schema: &'static str,
    specification: &'a str,
    requirement: Option<&'a str>,
    mutants: Vec<Row<'a>>,
}

/// One mutant.
#[derive(Serialize)]
pub struct Row<'a> {
    id: &'a str,
    operator: &'static str,
    objective: &'static str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    before: &'a str,
    after: &'a str,
    fpcore: String,
    status: Option<&'static str>,
    killed_by: Vec<&'a str>,
    margin: Option<String>,
    proof: Option<String>,
    reason: Option<String>,
    accepted: Option<Accepted<'a>>,
    near_miss: Option<Miss>,
    same_as: Option<&'a str>,
    subsumed_by: Option<&'a str>,
    search: Option<Search>,
}

/// A person's decision.
#[derive(Serialize)]
struct Accepted<'a> {
    by: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct Miss {
    inputs: Fields<String>,
    ratio: String,
}

#[derive(Serialize)]
struct Search {
    boxes: u64,
    pruned: u64,
    points: u64,
    rounds: u32,
}

impl<'a> Row<'a> {
    /// A mutant of which nothing but the change is known.
    #[must_use]
    pub fn unjudged(spec: &Spec, source: &[u8], mutant: &'a Mutant) -> Self {
        let (line, column) = line_column(source, mutant.span.start);
        let (end_line, end_column) = line_column(source, mutant.span.end);
        Row {
            id: &mutant.id,
            operator: mutant.operator.name(),
            objective: mutant.operator.objective(),
            line,
            column,
            end_line,
            end_column,
            before: &mutant.before,
            after: &mutant.after,
            fpcore: mutant.one_line(spec),
            status: None,
            killed_by: Vec::new(),
            margin: None,
            proof: None,
            reason: None,
            accepted: None,
            near_miss: None,
            same_as: None,
            subsumed_by: None,
            search: None,
        }
    }

    /// A mutant with what became of it.
    #[must_use]
    pub fn judged(suite: &Suite<'a>, m: usize) -> Self {
        let judged: &'a Judged = &suite.generated.mutants[m];
        let kills = suite.kills(m);
        let filled = |text: String| Some(text).filter(|t| !t.is_empty());
        let miss = |miss: &crate::suite::NearMiss| Miss {
            inputs: named(suite.spec, &miss.input, hex),
            ratio: decimal(miss.ratio),
        };
        let accepted = match &judged.status {
            Status::Accepted(a) => Some(Accepted { by: &a.by, reason: &a.reason }),
            _ => None,
        };
        let s = judged.stats;
        Row {
            status: Some(judged.status.name()),
            killed_by: kills.iter().map(|k| suite.generated.tests[k.test].id.as_str()).collect(),
            margin: kills.iter().filter_map(|k| k.margin).reduce(f64::max).map(decimal),
            proof: filled(words::proof_of(judged)),
            reason: filled(words::reason_of(suite.spec, judged)),
            accepted,
            near_miss: judged.near_miss.as_ref().filter(|_| judged.status != Status::Killed).map(miss),
            same_as: judged.same_as.as_deref(),
            subsumed_by: judged.subsumed_by.as_deref(),
            search: Some(Search { boxes: s.boxes, pruned: s.pruned, points: s.points, rounds: s.rounds }),
            ..Row::unjudged(suite.spec, suite.source, &judged.mutant)
        }
    }
}

/// `mutants.json`.
#[must_use]
pub fn mutants<'a>(suite: &Suite<'a>) -> Mutants<'a> {
    let rows = (0..suite.generated.mutants.len()).map(|m| Row::judged(suite, m)).collect();
    list(suite.spec, rows)
}

/// A list of mutants.
#[must_use]
pub fn list<'a>(spec: &'a Spec, mutants: Vec<Row<'a>>) -> Mutants<'a> {
    let requirement = spec.requirement.as_deref();
    Mutants { schema: "magneto/mutants/1", specification: &spec.name, requirement, mutants }
}

/// Counts with the scores.
#[derive(Clone, Debug, Serialize)]
pub struct Scores {
    mutants: usize,
    killed: usize,
    probable: usize,
    equivalent: usize,
    indistinguishable: usize,
    undecided: usize,
    accepted: usize,
    rigorous: Share,
    paper: Share,
    resolved: Share,
}

/// A score with its counts.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Share {
    part: usize,
    whole: usize,
    score: String,
}

impl Share {
    pub(super) fn new((part, whole): (usize, usize)) -> Self {
        let score = if whole == 0 { 1.0 } else { part as f64 / whole as f64 };
        Share { part, whole, score: decimal(score) }
    }
}

impl Scores {
    /// Of counts.
    #[must_use]
    pub fn new(c: &Counts) -> Self {
        let share = |part, whole, score| Share { part, whole, score: decimal(score) };
        Scores {
            mutants: c.all,
            killed: c.killed,
            probable: c.probable,
            equivalent: c.equivalent,
            indistinguishable: c.indistinguishable,
            undecided: c.undecided,
            accepted: c.accepted,
            rigorous: share(c.killed, c.functional - c.functional_not_killable, c.rigorous_score()),
            paper: share(c.killed + c.probable, c.all, c.paper_score()),
            resolved: share(c.all - c.undecided, c.all, c.resolved()),
        }
    }
}

/// `summary.json`.
#[derive(Serialize)]
pub struct Summary {
    schema: &'static str,
    specification: String,
    requirement: Option<String>,
    file: String,
    accuracy: String,
    accuracy_is_default: bool,
    interrupted: bool,
    tests: usize,
    /// The killed mutants that stand for all others on these tests.
    minimal: usize,
    scores: Scores,
    operators: Fields<Scores>,
}

impl Summary {
    /// Of a suite.
    #[must_use]
    pub fn new(suite: &Suite<'_>) -> Self {
        let (spec, generated) = (suite.spec, suite.generated);
        let of = |o: &Operator| {
            let some = generated.mutants.iter().filter(|j| j.mutant.operator == *o);
            (o.name().to_owned(), Scores::new(&Counts::of(some)))
        };
        Summary {
            schema: "magneto/summary/1",
            specification: spec.name.clone(),
            requirement: spec.requirement.clone(),
            file: super::manifest::file_name(spec),
            accuracy: spec.accuracy.to_string(),
            accuracy_is_default: spec.accuracy_defaulted,
            interrupted: generated.interrupted,
            tests: generated.tests.len(),
            minimal: minimal(&generated.mutants).len(),
            scores: Scores::new(&generated.counts),
            operators: Fields(Operator::ALL.iter().map(of).filter(|(_, s)| s.mutants > 0).collect()),
        }
    }
}

/// The run-level `summary.json` of a run over several specifications.
#[derive(Serialize)]
pub struct Run {
    schema: &'static str,
    interrupted: bool,
    tests: usize,
    minimal: usize,
    scores: Scores,
    specifications: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    folder: String,
    specification: String,
    requirement: Option<String>,
    file: String,
    interrupted: bool,
    tests: usize,
    minimal: usize,
    scores: Scores,
}

impl Run {
    /// Of suites, each with its folder.
    #[must_use]
    pub fn new(suites: &[(String, Suite<'_>)]) -> Self {
        let all = suites.iter().flat_map(|(_, s)| &s.generated.mutants);
        let part = |(folder, s): &(String, Suite<'_>)| Part {
            folder: folder.clone(),
            specification: s.spec.name.clone(),
            requirement: s.spec.requirement.clone(),
            file: super::manifest::file_name(s.spec),
            interrupted: s.generated.interrupted,
            tests: s.generated.tests.len(),
            minimal: minimal(&s.generated.mutants).len(),
            scores: Scores::new(&s.generated.counts),
        };
        Run {
            schema: "magneto/run/1",
            interrupted: suites.iter().any(|(_, s)| s.generated.interrupted),
            tests: suites.iter().map(|(_, s)| s.generated.tests.len()).sum(),
            minimal: suites.iter().map(|(_, s)| minimal(&s.generated.mutants).len()).sum(),
            scores: Scores::new(&Counts::of(all)),
            specifications: suites.iter().map(part).collect(),
        }
    }
}
