//! What tests that somebody else brought do, as text and as files.

use super::csv::Table;
use super::json::{Fields, Scores, named};
use super::number::both;
use super::text::{clip, score};
use super::{Suite, csv, words};
use crate::mutate::Operator;
use crate::num::float::hex;
use crate::oracle::Oracle;
use crate::suite::{Adequacy, Claim, Counts, Doubt, Evaluation, Expectation, Generated, Standing};
use crate::testfile::Expected;
use serde::Serialize;
use std::fmt::Write as _;

/// The most lines of one kind in the text.
const LINES: usize = 10;
/// The most mutants that a line names.
const NAMED: usize = 6;

/// An evaluation with all that its reports need.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    /// The run that made the mutants and says which can be killed.
    pub suite: Suite<'a>,
    /// What the tests do.
    pub evaluation: &'a Evaluation,
    /// The test file, as given.
    pub file: &'a str,
    /// Whether tests are suggested.
    pub suggest: bool,
    /// Whether not all tests were judged.
    pub interrupted: bool,
}

/// A test that is suggested, and the mutants for which it is.
struct Suggested {
    test: usize,
    mutants: Vec<usize>,
}

impl<'a> Report<'a> {
    /// The evaluation beside the run.
    #[must_use]
    pub fn adequacy(&self) -> Adequacy<'a> {
        Adequacy { run: self.suite.generated, evaluation: self.evaluation }
    }

    /// The counts of all mutants.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.adequacy().counts(0..self.suite.generated.mutants.len())
    }

    fn operator_counts(&self) -> Vec<(Operator, Counts)> {
        let mutants = &self.suite.generated.mutants;
        let of = |o: Operator| (0..mutants.len()).filter(move |m| mutants[*m].mutant.operator == o);
        let counts = Operator::ALL.map(|o| (o, self.adequacy().counts(of(o))));
        counts.into_iter().filter(|(_, c)| c.all > 0).collect()
    }

    /// The suggested tests; each mutant counts for the first that kills it.
    fn suggested(&self) -> Vec<Suggested> {
        if !self.suggest {
            return Vec::new();
        }
        let mut open = self.adequacy().with(Standing::Missed);
        let one = |test: usize| {
            let row = &self.suite.generated.matrix[test];
            let killed = |m: &usize| matches!(row[*m], crate::suite::Cell::Ko { .. } | crate::suite::Cell::Probable);
            let mutants = open.iter().copied().filter(killed).collect();
            open.retain(|m| !killed(m));
            Suggested { test, mutants }
        };
        self.adequacy().suggested().into_iter().map(one).collect()
    }

    /// What a person reads.
    #[must_use]
    pub fn text(&self) -> String {
        let (spec, e, c) = (self.suite.spec, self.evaluation, self.counts());
        let mut out = String::new();
        let requirement = spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
        let _ = writeln!(out, "{}{requirement}: {}, accuracy {}", spec.name, self.file, spec.accuracy);
        let mut line = |name: &str, value: String| {
            let _ = writeln!(out, "  {name:<20}{value}");
        };
        line("tests", e.tests.to_string());
        for (name, n) in [
            ("in the domain", e.inside),
            ("outside", e.outside),
            ("accuracy not attainable", e.unsatisfiable),
            ("f not settled", e.unsettled),
            ("first to kill", e.useful),
            ("with expectations", e.claimed),
            ("expectations not settled", e.unsure),
        ] {
            if n > 0 || ["in the domain", "first to kill"].contains(&name) {
                line(&format!("  {name}"), n.to_string());
            }
        }
        line("mutants", c.all.to_string());
        for (name, n) in [
            ("killed", c.killed),
            ("probable", c.probable),
            ("missed", missed(&c)),
            ("equivalent", c.equivalent),
            ("indistinguishable", c.indistinguishable),
            ("undecided", c.undecided),
        ] {
            line(&format!("  {name}"), n.to_string());
        }
        let killable = c.functional - c.functional_not_killable;
        line("rigorous score", format!("{} ({} of {killable})", score(c.killed, killable), c.killed));
        line(
            "paper score",
            format!("{} ({} of {})", score(c.killed + c.probable, c.all), c.killed + c.probable, c.all),
        );
        self.operators_text(&mut out);
        self.doubts_text(&mut out);
        self.missed_text(&mut out);
        out
    }

    fn operators_text(&self, out: &mut String) {
        let _ = writeln!(out, "  {:<12}{:>9}{:>9}{:>9}{:>11}", "operator", "killable", "killed", "missed", "undecided");
        for (operator, c) in self.operator_counts() {
            let (killed, name) = (c.killed + c.probable, operator.name());
            let killable = c.all - c.equivalent - c.indistinguishable;
            let _ = writeln!(out, "  {name:<12}{killable:>9}{killed:>9}{:>9}{:>11}", missed(&c), c.undecided);
        }
    }

    fn doubts_text(&self, out: &mut String) {
        let e = self.evaluation;
        if e.wrong == 0 {
            return;
        }
        let _ = writeln!(out, "  wrong expectations  {}", e.wrong);
        for doubt in e.doubts.iter().take(LINES) {
            let _ = writeln!(out, "    {}:{}: {}: {}", self.file, doubt.line, clip(&doubt.id), sentence(doubt));
        }
        if e.wrong > LINES as u64 {
            let _ = writeln!(out, "    … and {} more", e.wrong - LINES as u64);
        }
    }

    fn missed_text(&self, out: &mut String) {
        let missed = self.adequacy().with(Standing::Missed);
        for &m in missed.iter().take(if self.suggest { 0 } else { LINES }) {
            let _ = writeln!(out, "  missed {}", self.mutant_line(m));
        }
        if missed.len() > LINES && !self.suggest {
            let more = missed.len() - LINES;
            let _ = writeln!(out, "  … and {more} more; --suggest gives tests for all of them");
        }
        for &m in self.adequacy().with(Standing::Undecided).iter().take(LINES) {
            let _ = writeln!(out, "  undecided {}", self.mutant_line(m));
        }
        let suggested = self.suggested();
        if !suggested.is_empty() {
            let (tests, all) = (suggested.len(), missed.len());
            let _ = writeln!(out, "  suggested           {tests} tests, which kill the {all} that are missed");
        }
        for s in &suggested {
            let test = &self.suite.generated.tests[s.test];
            let _ = writeln!(out, "    {}  {}", test.id, words::input(self.suite.spec, &test.input));
            let _ = writeln!(out, "          {}", owed(&test.expectation));
            let ids: Vec<&str> =
                s.mutants.iter().map(|m| self.suite.generated.mutants[*m].mutant.id.as_str()).collect();
            let more = if ids.len() > NAMED { format!(" and {} more", ids.len() - NAMED) } else { String::new() };
            let _ = writeln!(out, "          kills {}{more}", ids[..ids.len().min(NAMED)].join(" "));
        }
    }

    fn mutant_line(&self, m: usize) -> String {
        let mutant = &self.suite.generated.mutants[m].mutant;
        let (line, column) = self.suite.place(m);
        format!("{} {line}:{column} {} -> {}", mutant.id, clip(&mutant.before), clip(&mutant.after))
    }

    /// `eval.csv`: a row a mutant.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let header = ["id", "operator", "objective", "line", "column", "before", "after", "standing", "killed_by"];
        let mut table = Table::new(header.into_iter().chain(["test_line", "tests", "would_kill", "proof", "reason"]));
        for row in self.rows() {
            table.row([
                row.id.to_owned(),
                row.operator.to_owned(),
                row.objective.to_owned(),
                row.line.to_string(),
                row.column.to_string(),
                row.before.to_owned(),
                row.after.to_owned(),
                row.standing.to_owned(),
                row.killed_by.unwrap_or_default().to_owned(),
                row.test_line.map(|l| l.to_string()).unwrap_or_default(),
                row.tests.map(|n| n.to_string()).unwrap_or_default(),
                row.would_kill.join(" "),
                row.proof.unwrap_or_default(),
                row.reason.unwrap_or_default(),
            ]);
        }
        table.finish()
    }

    fn rows(&self) -> Vec<Row<'a>> {
        (0..self.suite.generated.mutants.len()).map(|m| self.row(m)).collect()
    }

    fn row(&self, m: usize) -> Row<'a> {
        let judged = &self.suite.generated.mutants[m];
        let (mutant, standing) = (&judged.mutant, self.adequacy().standing(m));
        let (line, column) = self.suite.place(m);
        let killer = self.evaluation.killers[m].as_ref();
        let generated = |k: super::Kill| self.suite.generated.tests[k.test].id.as_str();
        let open = matches!(standing, Standing::Missed | Standing::Undecided);
        let filled = |text: String| Some(text).filter(|t| !t.is_empty());
        Row {
            id: &mutant.id,
            operator: mutant.operator.name(),
            objective: mutant.operator.objective(),
            line,
            column,
            before: &mutant.before,
            after: &mutant.after,
            standing: standing.name(),
            killed_by: killer.map(|k| k.id.as_str()),
            test_line: killer.map(|k| k.line),
            tests: Some(self.evaluation.kills[m]).filter(|_| self.evaluation.counted),
            would_kill: if open { self.suite.kills(m).into_iter().map(generated).collect() } else { Vec::new() },
            proof: filled(words::proof_of(judged)),
            reason: filled(words::reason_of(self.suite.spec, judged)).filter(|_| open),
        }
    }

    /// `eval.json`, and what `--json` prints.
    #[must_use]
    pub fn json(&self) -> Document<'a> {
        let (spec, e, c) = (self.suite.spec, self.evaluation, self.counts());
        let part = |c: &Counts| Part { missed: missed(c), scores: Scores::new(c) };
        let suggestion = |s: Suggested| {
            let test = &self.suite.generated.tests[s.test];
            let owed = csv::Owed::new(&test.expectation);
            Suggestion {
                id: &test.id,
                inputs: named(spec, &test.input, hex),
                lo: owed.bounds.map(|b| hex(b.0)),
                hi: owed.bounds.map(|b| hex(b.1)),
                expected: owed.expected(),
                kills: s.mutants.iter().map(|m| self.suite.generated.mutants[*m].mutant.id.as_str()).collect(),
            }
        };
        let wrong = |d: &Doubt| Wrong {
            test: d.id.clone(),
            line: d.line,
            inputs: named(spec, &d.input, hex),
            claim: claim(&d.claim),
            right: owed(&d.owed),
        };
        Document {
            schema: "magneto/eval/1",
            specification: &spec.name,
            requirement: spec.requirement.as_deref(),
            accuracy: spec.accuracy.to_string(),
            accuracy_is_default: spec.accuracy_defaulted,
            interrupted: self.interrupted || self.suite.generated.interrupted,
            tests: Tests {
                all: e.tests,
                inside: e.inside,
                outside: e.outside,
                unsatisfiable: e.unsatisfiable,
                unsettled: e.unsettled,
                first_to_kill: e.useful,
                with_expectations: e.claimed,
                wrong_expectations: e.wrong,
                unsettled_expectations: e.unsure,
            },
            wrong: e.doubts.iter().map(wrong).collect(),
            missed: missed(&c),
            scores: Scores::new(&c),
            operators: Fields(self.operator_counts().iter().map(|(o, c)| (o.name().to_owned(), part(c))).collect()),
            mutants: self.rows(),
            suggested: self.suggested().into_iter().map(suggestion).collect(),
        }
    }

    /// `suggested.csv`: the suggested tests in the form of `tests.csv`.
    #[must_use]
    pub fn suggested_csv(&self) -> Vec<u8> {
        let run = self.suite.generated;
        let chosen: Vec<usize> = self.suggested().iter().map(|s| s.test).collect();
        let some = Generated {
            tests: chosen.iter().map(|t| run.tests[*t].clone()).collect(),
            matrix: chosen.iter().map(|t| run.matrix[*t].clone()).collect(),
            ..run.clone()
        };
        csv::tests(&Suite { generated: &some, ..self.suite })
    }
}

/// The mutants that can be killed and are not.
fn missed(c: &Counts) -> usize {
    c.all - c.killed - c.probable - c.equivalent - c.indistinguishable - c.undecided
}

/// What a file says of the result.
fn claim(claim: &Claim) -> String {
    match *claim {
        Claim::Expected(Expected::Value(y)) => both(y),
        Claim::Expected(Expected::Response(r)) => r.name().to_owned(),
        Claim::Interval(lo, hi) => format!("[{}, {}]", both(lo), both(hi)),
        Claim::Least(lo) => format!("at least {}", both(lo)),
        Claim::Most(hi) => format!("at most {}", both(hi)),
    }
}

/// What is right.
fn owed(expectation: &Expectation) -> String {
    match expectation {
        Expectation::OutOfRange(r) => format!("outside the domain, where `{}` is owed", r.name()),
        Expectation::Result(Oracle::Decided { lo, hi, .. }) => format!("right results: [{}, {}]", both(*lo), both(*hi)),
        Expectation::Result(Oracle::Capped { outer, .. }) => {
            format!("right results lie in [{}, {}]", both(outer.0), both(outer.1))
        }
        Expectation::Result(Oracle::Unsatisfiable) => "no number of the result format is accurate enough".to_owned(),
        Expectation::Result(Oracle::Undefined) => "f has no value".to_owned(),
        Expectation::Result(Oracle::Unsettled) => "whether f has a value is not settled".to_owned(),
    }
}

/// An expectation that does not hold, in words.
fn sentence(doubt: &Doubt) -> String {
    let what = match doubt.claim {
        Claim::Interval(..) => "takes wrong results in",
        Claim::Expected(_) => "expects",
        Claim::Least(_) | Claim::Most(_) => "refuses all right results: it wants",
    };
    format!("{what} {}; {}", claim(&doubt.claim), owed(&doubt.owed))
}

/// `eval.json`.
#[derive(Serialize)]
pub struct Document<'a> {
    schema: &'static str,
    specification: &'a str,
    requirement: Option<&'a str>,
    accuracy: String,
    accuracy_is_default: bool,
    interrupted: bool,
    tests: Tests,
    wrong: Vec<Wrong>,
    missed: usize,
    scores: Scores,
    operators: Fields<Part>,
    mutants: Vec<Row<'a>>,
    suggested: Vec<Suggestion<'a>>,
}

#[derive(Serialize)]
struct Tests {
    all: u64,
    inside: u64,
    outside: u64,
    unsatisfiable: u64,
    unsettled: u64,
    first_to_kill: u64,
    with_expectations: u64,
    wrong_expectations: u64,
    unsettled_expectations: u64,
}

#[derive(Serialize)]
struct Wrong {
    test: String,
    line: usize,
    inputs: Fields<String>,
    claim: String,
    right: String,
}

#[derive(Serialize)]
struct Part {
    missed: usize,
    #[serde(flatten)]
    scores: Scores,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    operator: &'static str,
    objective: &'static str,
    line: usize,
    column: usize,
    before: &'a str,
    after: &'a str,
    standing: &'static str,
    killed_by: Option<&'a str>,
    test_line: Option<usize>,
    tests: Option<u64>,
    would_kill: Vec<&'a str>,
    proof: Option<String>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct Suggestion<'a> {
    id: &'a str,
    inputs: Fields<String>,
    lo: Option<String>,
    hi: Option<String>,
    expected: Option<String>,
    kills: Vec<&'a str>,
}
