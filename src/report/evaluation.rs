//! What tests that somebody else brought do, as text and as files.

use super::cases::{CaseGroup, ReportedCase, State};
use super::number::both;
use super::off::ErrorUnit;
use super::text::{clip, line, mutants, scores};
use super::words;
use crate::mutate::MutationOperator;
use crate::oracle::Oracle;
use crate::record::tests::Tests;
use crate::record::{Suite, manifest};
use crate::suite::{Adequacy, Claim, Counts, Doubt, Expectation, Generated, ScoreShare, Standing, SuiteEvaluation};
use crate::testfile::Expected;
use std::fmt::Write as _;

mod additions;
mod completion;
mod document;
mod tolerances;

pub use completion::{COMPLETED, Completion};

/// The most lines of one kind in the text.
const LINES: usize = 10;
/// The most mutants that a line names.
const NAMED: usize = 6;

/// An evaluation with all that its reports need.
#[derive(Clone, Copy)]
pub struct EvaluationReport<'a> {
    /// The run that made the mutants and says which can be killed.
    pub suite: Suite<'a>,
    /// What the tests do.
    pub evaluation: &'a SuiteEvaluation,
    /// The test file, as given.
    pub file: &'a str,
    /// Whether tests are suggested.
    pub suggest: bool,
    /// The file that has all that is suggested, as given.
    pub written: Option<&'a str>,
    /// What `--complete` found.
    pub completion: Option<Completion<'a>>,
    /// Whether not all tests were judged.
    pub interrupted: bool,
}

impl<'a> EvaluationReport<'a> {
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

    fn operator_counts(&self) -> Vec<(MutationOperator, Counts)> {
        let mutants = &self.suite.generated.mutants;
        let of = |o: MutationOperator| (0..mutants.len()).filter(move |m| mutants[*m].mutant.operator == o);
        let counts = MutationOperator::ALL.map(|o| (o, self.adequacy().counts(of(o))));
        counts.into_iter().filter(|(_, c)| c.all > 0).collect()
    }

    /// The minimal mutants killed and all of them: of the run, then of each objective taken alone.
    fn minimal(&self) -> Vec<(Option<&'static str>, (usize, usize))> {
        let mut objectives: Vec<&str> = MutationOperator::ALL.iter().map(|o| o.objective()).collect();
        objectives.sort_unstable();
        objectives.dedup();
        let wanted = std::iter::once(None).chain(objectives.into_iter().map(Some));
        wanted.map(|o| (o, self.adequacy().minimal(o))).filter(|(_, counts)| counts.1 > 0).collect()
    }

    /// What a person reads.
    #[must_use]
    pub fn text(&self) -> String {
        let (spec, e, c) = (self.suite.spec, self.evaluation, self.counts());
        let mut out = String::new();
        let requirement = spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]"));
        let _ = writeln!(out, "{}{requirement}: {}, accuracy {}", spec.name, self.file, spec.accuracy);
        line(&mut out, "tests", e.tests);
        for (name, n) in [
            ("in the domain", e.inside),
            ("outside", e.outside),
            ("accuracy not attainable", e.unsatisfiable),
            ("f not settled", e.unsettled),
            ("first to kill", e.useful),
            ("with expectations", e.claimed),
            ("expectations not settled", e.unsure),
            ("expectations outside that fail nothing", e.waived),
        ] {
            if n > 0 || ["in the domain", "first to kill"].contains(&name) {
                line(&mut out, &format!("  {name}"), n);
            }
        }
        mutants(&mut out, &c, Some(missed(&c)));
        scores(&mut out, &c, None);
        self.tolerances_text(&mut out);
        for (name, (killed, minimal)) in self.minimal() {
            let name = name.map_or_else(|| "minimal score".to_owned(), |objective| format!("  {objective} alone"));
            line(
                &mut out,
                &name,
                format_args!("{} ({killed} of {minimal})", ScoreShare { part: killed, whole: minimal }.text()),
            );
        }
        self.operators_text(&mut out);
        self.doubts_text(&mut out);
        self.missed_text(&mut out);
        self.suggested_text(&mut out);
        self.completion_text(&mut out);
        self.after_text(&mut out);
        out
    }

    fn operators_text(&self, out: &mut String) {
        let head = ["killable", "killed", "probable", "missed", "undecided"];
        let _ = writeln!(
            out,
            "  {:<12}{:>9}{:>9}{:>10}{:>9}{:>11}",
            "operator", head[0], head[1], head[2], head[3], head[4]
        );
        for (operator, c) in self.operator_counts() {
            let name = operator.name();
            let killable = c.all - c.equivalent - c.indistinguishable - c.accepted;
            let (killed, probable, missed) = (c.killed, c.probable, missed(&c));
            let _ = writeln!(out, "  {name:<12}{killable:>9}{killed:>9}{probable:>10}{missed:>9}{:>11}", c.undecided);
        }
    }

    fn doubts_text(&self, out: &mut String) {
        let e = self.evaluation;
        for (name, loose, all) in
            [("wrong expectations", false, e.wrong - e.loose), ("loose tolerances", true, e.loose)]
        {
            if all == 0 {
                continue;
            }
            line(out, name, all);
            let mut shown = 0;
            for doubt in e.doubts.iter().filter(|d| d.is_loose() == loose).take(LINES) {
                shown += 1;
                let said = self.sentence(doubt);
                let _ = writeln!(out, "    {}:{}: {}: {said}", self.file, doubt.line, clip(&doubt.id));
            }
            if all > shown {
                let _ = writeln!(out, "    … and {} more", all - shown);
            }
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
    }

    fn mutant_line(&self, m: usize) -> String {
        let mutant = &self.suite.generated.mutants[m].mutant;
        let (line, column) = self.suite.place(m);
        format!("{} {line}:{column} {} -> {}", mutant.id, clip(&mutant.before), clip(&mutant.after))
    }

    /// As test cases: a group of mutants for each operator, of which those that are missed fail, and one of the file's
    /// expectations, of which those that are wrong fail. What is proved not to be killable is left out.
    #[must_use]
    pub fn groups(&self) -> Vec<CaseGroup> {
        let (mutants, kills) = (&self.suite.generated.mutants, self.suite.kills());
        let case = |m: usize| {
            let state = match self.adequacy().standing(m) {
                Standing::Killed | Standing::Probable => State::Passed,
                Standing::Missed => {
                    let input = kills[m].first().map(|k| &self.suite.generated.tests[k.test].input);
                    let at = input.map_or(String::new(), |x| words::input(self.suite.spec, x));
                    State::Failed(format!("no test kills this mutant; one at {at} would"))
                }
                Standing::Undecided => State::Open("neither killed nor proved not to be killable".to_owned()),
                Standing::Accepted => State::Open(words::reason_of(self.suite.spec, &mutants[m])),
                Standing::Equivalent | Standing::Indistinguishable => return None,
            };
            Some(ReportedCase { name: mutants[m].mutant.id.clone(), about: self.mutant_line(m), state })
        };
        let of = |o: MutationOperator| (0..mutants.len()).filter(move |m| mutants[*m].mutant.operator == o);
        let spec = self.suite.spec;
        let name = format!("{}{}", spec.name, spec.requirement.as_ref().map_or(String::new(), |r| format!(" [{r}]")));
        let operators = MutationOperator::ALL
            .into_iter()
            .map(|o| CaseGroup { name: format!("{name} {}", o.name()), cases: of(o).filter_map(case).collect() });
        let wrong = |d: &Doubt| ReportedCase {
            name: format!("{} (line {})", d.id, d.line),
            about: words::input(self.suite.spec, &d.input),
            state: State::Failed(self.sentence(d)),
        };
        let mut cases: Vec<ReportedCase> = self.evaluation.doubts.iter().map(wrong).collect();
        let more = self.evaluation.wrong - self.evaluation.doubts.len() as u64;
        if more > 0 {
            let state = State::Failed(format!("{more} more expectations are wrong"));
            cases.push(ReportedCase { name: "others".to_owned(), about: self.file.to_owned(), state });
        } else if cases.is_empty() && self.evaluation.claimed > 0 {
            let name = format!("{} tests with expectations", self.evaluation.claimed);
            cases.push(ReportedCase { name, about: self.file.to_owned(), state: State::Passed });
        }
        let expectations = CaseGroup { name: format!("{name} expectations"), cases };
        operators.chain([expectations]).filter(|g| !g.cases.is_empty()).collect()
    }

    /// An expectation that does not hold, in words.
    fn sentence(&self, doubt: &Doubt) -> String {
        let what = match doubt.claim {
            Claim::Interval(..) if doubt.is_loose() => "takes wrong results in",
            Claim::Within(..) if doubt.is_loose() => "its tolerance takes wrong results in",
            Claim::Interval(..) | Claim::Within(..) => "takes no right result in",
            Claim::Expected(_) => "expects",
            Claim::Least(_) | Claim::Most(_) => "refuses all right results: it wants",
        };
        let off = self.off(doubt).map_or(String::new(), |off| format!(", {off}"));
        format!("{what} {}{off}; {}", claim(&doubt.claim), owed(&doubt.owed))
    }

    /// How far an expectation is off, in the unit of the accuracy.
    fn off(&self, doubt: &Doubt) -> Option<String> {
        let told = ErrorUnit::of(&self.suite.spec.accuracy).tell(doubt.error?);
        Some(match doubt.claim {
            Claim::Interval(..) | Claim::Within(..) => format!("up to {told} off"),
            Claim::Expected(_) | Claim::Least(_) | Claim::Most(_) => format!("off by {told}"),
        })
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
        Tests::new(&Suite { generated: &some, ..self.suite }).table(&manifest::inputs(self.suite.spec))
    }
}

/// The mutants that can be killed and are not.
fn missed(c: &Counts) -> usize {
    c.all - c.killed - c.probable - c.equivalent - c.indistinguishable - c.undecided - c.accepted
}

/// What a file says of the result.
fn claim(claim: &Claim) -> String {
    match *claim {
        Claim::Expected(Expected::Value(y)) => both(y),
        Claim::Expected(Expected::Response(r)) => r.name().to_owned(),
        Claim::Interval(lo, hi) | Claim::Within(lo, hi) => format!("[{}, {}]", both(lo), both(hi)),
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
