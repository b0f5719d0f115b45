//! What is written of a measurement of solvers: tables and a page.

use super::{MeasuredScript, ScriptOutcome, ScriptRun, ScriptSolver, ScriptsPlan};
use crate::record::store::Files;
use crate::record::table::Table;
use crate::record::{Document, Provenance, json};
use crate::smt::SatStatus;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What a solver made of a family of scripts.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FamilyTotal {
    /// The family; none for all scripts.
    pub family: Option<String>,
    /// The solver.
    pub solver: String,
    /// Scripts.
    pub files: usize,
    /// Those of which it decided every question.
    pub decided: usize,
    /// Those of which an answer is not what the script says.
    pub wrong: usize,
    /// Those with an answer that is unknown.
    pub unknown: usize,
    /// Those for which its time or its memory was not enough.
    pub late: usize,
    /// Those that it did not take.
    pub refused: usize,
    /// Wall-clock time of all its processes. Unit: seconds.
    pub seconds: f64,
}

/// A question about which solvers contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SolverContradiction {
    /// The script.
    pub file: String,
    /// The question, from 1.
    pub question: usize,
    /// Solvers with their answers.
    pub answers: Vec<(String, SatStatus)>,
}

/// All of a measurement.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ScriptsDocument<'a> {
    #[serde(flatten)]
    made: Provenance,
    /// The solvers.
    pub solvers: &'a [ScriptSolver],
    /// How long each may take for a script. Unit: seconds.
    pub timeout: f64,
    /// Scripts at a time.
    pub jobs: usize,
    /// By family and solver, and in the end over all families.
    pub totals: Vec<FamilyTotal>,
    /// Where solvers contradict each other.
    pub contradictions: Vec<SolverContradiction>,
    /// By script.
    pub scripts: &'a [MeasuredScript],
}

impl Document for ScriptsDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-solve/1";
    const WRITER: &'static str = "bench solve";
}

/// The heads of the columns of numbers.
const HEADS: [&str; 7] = ["files", "decided", "wrong", "unknown", "late", "refused", "seconds"];

impl FamilyTotal {
    fn new(family: Option<&str>, solver: &str, scripts: &[MeasuredScript]) -> Self {
        let own = || scripts.iter().filter(|s| family.is_none_or(|f| s.family == f));
        let runs: Vec<(&MeasuredScript, &ScriptRun)> =
            own().filter_map(|s| Some((s, s.runs.iter().find(|r| r.solver == solver)?))).collect();
        let count = |outcomes: &[ScriptOutcome]| runs.iter().filter(|(_, r)| outcomes.contains(&r.outcome)).count();
        FamilyTotal {
            family: family.map(str::to_owned),
            solver: solver.to_owned(),
            files: runs.len(),
            decided: count(&[ScriptOutcome::Decided]),
            wrong: runs.iter().filter(|(s, r)| s.is_wrong(r)).count(),
            unknown: count(&[ScriptOutcome::Unknown]),
            late: count(&[ScriptOutcome::Late, ScriptOutcome::Memory]),
            refused: count(&[ScriptOutcome::Refused]),
            seconds: runs.iter().map(|(_, r)| r.seconds).sum(),
        }
    }

    /// The family in words.
    fn family(&self) -> &str {
        self.family.as_deref().unwrap_or("all")
    }

    fn numbers(&self) -> [String; 7] {
        let FamilyTotal { files, decided, wrong, unknown, late, refused, seconds, .. } = self;
        let counts = [files, decided, wrong, unknown, late, refused].map(ToString::to_string);
        let [files, decided, wrong, unknown, late, refused] = counts;
        [files, decided, wrong, unknown, late, refused, format!("{seconds:.2}")]
    }
}

impl<'a> ScriptsDocument<'a> {
    /// Of scripts that were measured.
    #[must_use]
    pub fn new(plan: &'a ScriptsPlan, scripts: &'a [MeasuredScript]) -> Self {
        let families: BTreeSet<&str> = scripts.iter().map(|s| s.family.as_str()).collect();
        let several = families.len() != 1;
        let families = families.into_iter().map(Some).chain(several.then_some(None));
        let of = |family| plan.solvers.iter().map(move |s| FamilyTotal::new(family, &s.name, scripts));
        let contradictions = |script: &MeasuredScript| {
            let named =
                |answers: Vec<(&str, SatStatus)>| answers.iter().map(|(s, is)| ((*s).to_owned(), *is)).collect();
            let one = |(question, answers)| SolverContradiction {
                file: script.file.clone(),
                question,
                answers: named(answers),
            };
            script.contradictions().into_iter().map(one).collect::<Vec<_>>()
        };
        ScriptsDocument {
            made: Provenance::here(),
            solvers: &plan.solvers,
            timeout: plan.limit.as_secs_f64(),
            jobs: plan.jobs,
            totals: families.flat_map(of).collect(),
            contradictions: scripts.iter().flat_map(contradictions).collect(),
            scripts,
        }
    }

    /// Whether an answer is not what its script says, or two solvers contradict each other.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        !self.contradictions.is_empty() || self.totals.iter().any(|t| t.wrong > 0)
    }

    /// For a person.
    #[must_use]
    pub fn text(&self) -> String {
        let width = |texts: Vec<&str>| texts.iter().map(|t| t.chars().count()).max().unwrap_or(0).max(6);
        let family = width(self.totals.iter().map(FamilyTotal::family).collect());
        let solver = width(self.totals.iter().map(|t| t.solver.as_str()).collect());
        let mut out = String::new();
        let mut line = |first: &str, second: &str, numbers: [&str; 7]| {
            let cells: String = numbers.iter().map(|n| format!("{n:>9}")).collect();
            let _ = writeln!(out, "{first:<family$}  {second:<solver$}{cells}");
        };
        line("family", "solver", HEADS);
        for total in &self.totals {
            line(total.family(), &total.solver, total.numbers().each_ref().map(String::as_str));
        }
        out + &self.failures()
    }

    /// What is wrong, a line for each.
    fn failures(&self) -> String {
        let mut out = String::new();
        for script in self.scripts {
            for run in script.runs.iter().filter(|run| script.is_wrong(run)) {
                let _ = writeln!(out, "{} is wrong about {}", run.solver, script.file);
            }
        }
        for SolverContradiction { file, question, answers } in &self.contradictions {
            let said: Vec<String> = answers.iter().map(|(solver, is)| format!("{solver} {}", is.word())).collect();
            let _ = writeln!(
                out,
                "solvers contradict each other about {file}, (check-sat) {question}: {}",
                said.join(", ")
            );
        }
        out
    }

    /// README, manifest and tables.
    #[must_use]
    pub fn files(&self) -> Files {
        Files::from([
            ("README.md".to_owned(), self.readme().into_bytes()),
            ("manifest.json".to_owned(), json::document(self)),
            ("families.csv".to_owned(), self.families()),
            ("scripts.csv".to_owned(), self.table()),
        ])
    }

    fn families(&self) -> Vec<u8> {
        let mut table = Table::new(["family", "solver"].into_iter().chain(HEADS));
        for total in &self.totals {
            let names = [total.family().to_owned(), total.solver.clone()];
            table.row(names.into_iter().chain(total.numbers()));
        }
        table.finish()
    }

    fn table(&self) -> Vec<u8> {
        let mut table = Table::new(["file", "expected", "solver", "outcome", "answers", "wrong", "seconds", "said"]);
        let words = |all: Vec<Option<SatStatus>>| {
            let words: Vec<&str> = all.iter().map(|s| s.map_or("-", SatStatus::word)).collect();
            words.join(" ")
        };
        for script in self.scripts {
            for run in &script.runs {
                table.row([
                    script.file.clone(),
                    words(script.expected.clone()),
                    run.solver.clone(),
                    word(run.outcome).to_owned(),
                    words(run.answers.iter().copied().map(Some).collect()),
                    script.is_wrong(run).to_string(),
                    format!("{:.3}", run.seconds),
                    run.said.clone().unwrap_or_default(),
                ]);
            }
        }
        table.finish()
    }

    fn readme(&self) -> String {
        let commit = self.made.commit.as_ref().map_or(String::new(), |c| format!(" ({c})"));
        let mut out = format!(
            "# Scripts by several solvers\n\nMagneto {}{commit}, {}. {} scripts; each solver has {} s and 4 GiB of address space for a \
             script, in a process of its own, {} at a time. Times are wall-clock times of processes.\n\n",
            self.made.magneto,
            self.made.platform,
            self.scripts.len(),
            self.timeout,
            self.jobs
        );
        for solver in self.solvers {
            let version = if solver.version.is_empty() { "version unknown" } else { &solver.version };
            let _ = writeln!(out, "- {}: `{}` ({version})", solver.name, solver.command.join(" "));
        }
        let _ =
            writeln!(out, "\n| family | solver | {} |\n|---|---|{}", HEADS.join(" | "), "---:|".repeat(HEADS.len()));
        for total in &self.totals {
            let _ = writeln!(out, "| {} | {} | {} |", total.family(), total.solver, total.numbers().join(" | "));
        }
        out.push_str(
            "\nDecided: every question is answered by sat or unsat. Wrong: an answer is not what `(set-info :status …)` says. \
             Late: time or memory was not enough. Refused: something of the script is not supported. `scripts.csv` has every \
             script.\n",
        );
        let failures = self.failures();
        if !failures.is_empty() {
            let _ = write!(out, "\n```text\n{failures}```\n");
        }
        out
    }
}

fn word(outcome: ScriptOutcome) -> &'static str {
    match outcome {
        ScriptOutcome::Decided => "decided",
        ScriptOutcome::Unknown => "unknown",
        ScriptOutcome::Late => "late",
        ScriptOutcome::Memory => "memory",
        ScriptOutcome::Refused => "refused",
    }
}
