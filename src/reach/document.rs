//! What a search for coverage came to, for people and for other tools.

use super::coverage::{Coverage, Reached};
use super::errors::Worst;
use super::replay::Replayed;
use super::value::text;
use crate::code::machine::Trap;
use crate::code::program::Program;
use crate::num::float::decimal;
use crate::oracle::Verdict;
use crate::record::number::rough;
use crate::report::oracle::Answer;
use crate::search::ordinal::number;
use crate::spec::Spec;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What became of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Some input takes it.
    Taken,
    /// Proved that none does.
    Infeasible,
    /// Neither.
    Open,
}

/// A branch.
#[derive(Clone, Debug, Serialize)]
pub struct Branch {
    /// The source file.
    pub file: String,
    /// Where the test stands; 0 where it is not known.
    pub line: u32,
    /// The column of it.
    pub column: u32,
    /// Among the tests of the same place, from 1.
    pub occurrence: u32,
    /// Which way: 0 or 1, or the arm of a switch.
    pub way: u32,
    /// The line at which the program goes on; 0 where it is not known.
    pub to: u32,
    /// What became of it.
    pub status: Standing,
    /// The input that takes it, by index.
    pub by: Option<usize>,
    /// Of an infeasible one: the boxes that together hold all inputs.
    pub boxes: Option<u64>,
    /// With a specification, the input with the largest error found among those of the domain that take it, by index.
    pub worst: Option<usize>,
}

/// An input with what the code returned.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The inputs, floats in hexadecimal.
    pub input: Vec<String>,
    /// The same in decimal.
    pub input_dec: Vec<String>,
    /// The result, or why there is none.
    pub result: String,
    /// The same in decimal.
    pub result_dec: String,
    /// The branches that it was the first to take, by index.
    pub branches: Vec<usize>,
    /// The branches on which its error is the largest that was found, by index.
    pub worst_of: Vec<usize>,
    /// `OK`, `KO`, `UNCERTAIN`, or `outside` the specification's domain; none without a specification.
    pub verdict: Option<String>,
    /// The error in units of the tolerance, and in ulps of the exact value, where a finite result is owed and came.
    pub error_in_bounds: Option<String>,
    /// The same in ulps.
    pub error_in_ulps: Option<String>,
    /// The input's bits.
    #[serde(skip)]
    pub bits: Vec<u64>,
    /// The input's values as binary64 numbers where they are that, for an oracle.
    #[serde(skip)]
    pub values: Option<Vec<f64>>,
    /// The result as binary64.
    #[serde(skip)]
    pub value: Option<f64>,
}

/// All of it.
#[derive(Clone, Debug, Serialize)]
pub struct Document {
    /// The form of this document.
    pub schema: &'static str,
    /// The function.
    pub function: String,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Runs of the code.
    pub evaluations: u64,
    /// Branches taken.
    pub taken: usize,
    /// Branches proved infeasible.
    pub infeasible: usize,
    /// Branches of which nothing is known.
    pub open: usize,
    /// Every branch.
    pub branches: Vec<Branch>,
    /// The inputs that took something new, in the order in which they were found; those of largest errors follow.
    pub runs: Vec<Run>,
    /// All of them in the native program, with `--native`.
    pub native: Option<Replayed>,
}

impl Document {
    /// What a search found and proved.
    #[must_use]
    pub fn new(program: &Program, coverage: &Coverage<'_>, functions: &[u32]) -> Self {
        let occurrences: BTreeMap<u32, u32> = program.sites(functions).into_iter().collect();
        let branches = coverage.goals.iter().enumerate().map(|(i, goal)| {
            let place = program.place(goal.site);
            let (status, by, boxes) = match &coverage.reached[i] {
                Reached::By(run) => (Standing::Taken, Some(*run), None),
                Reached::Infeasible { boxes } => (Standing::Infeasible, None, Some(*boxes)),
                Reached::Open(_) => (Standing::Open, None, None),
            };
            Branch {
                file: place.map(|p| p.file.clone()).unwrap_or_default(),
                line: place.map_or(0, |p| p.line),
                column: place.map_or(0, |p| p.column),
                occurrence: occurrences.get(&goal.site).copied().unwrap_or(1),
                way: goal.way,
                to: program.leads_to(*goal).unwrap_or(0),
                status,
                by,
                boxes,
                worst: None,
            }
        });
        let branches: Vec<Branch> = branches.collect();
        let count = |status| branches.iter().filter(|b| b.status == status).count();
        Document {
            schema: "magneto/cover/1",
            function: program.module.functions[program.entry as usize].name.clone(),
            inputs: program.inputs.iter().map(|i| i.name.clone()).collect(),
            evaluations: coverage.evaluations,
            taken: count(Standing::Taken),
            infeasible: count(Standing::Infeasible),
            open: count(Standing::Open),
            runs: coverage.found.iter().map(|f| run(program, &f.input, &f.outcome, &f.first)).collect(),
            branches,
            native: None,
        }
    }

    /// Adds the inputs with the largest error on each branch.
    pub fn add_worst(&mut self, program: &Program, worst: &[Option<Worst>]) {
        for (branch, worst) in worst.iter().enumerate() {
            let Some(worst) = worst else { continue };
            let new = run(program, &worst.input, &worst.outcome, &[]);
            let at = self.runs.iter().position(|r| r.bits == new.bits).unwrap_or_else(|| {
                self.runs.push(new);
                self.runs.len() - 1
            });
            self.runs[at].worst_of.push(branch);
            self.branches[branch].worst = Some(at);
        }
    }

    /// Gives each run its verdict. Those whose inputs are no numbers of the specification's formats are outside.
    pub fn judge(&mut self, spec: &Spec, cap: u32) {
        for run in &mut self.runs {
            let held = |v: &&Vec<f64>| spec.inputs.iter().zip(*v).all(|(i, x)| x.is_finite() && i.format.holds(*x));
            let Some(values) = run.values.as_ref().filter(held) else {
                run.verdict = Some("outside".to_owned());
                continue;
            };
            let answer = Answer::new(spec, values.clone(), Some(run.value.unwrap_or(f64::NAN)), cap);
            let word = match answer.verdict() {
                _ if answer.is_outside() => "outside",
                Some(Verdict::Ok) => "OK",
                Some(Verdict::Ko) => "KO",
                Some(Verdict::Uncertain) | None => "UNCERTAIN",
            };
            run.verdict = Some(word.to_owned());
            let error = answer.error().filter(|_| word != "outside");
            run.error_in_bounds = error.map(|e| decimal(e.0));
            run.error_in_ulps = error.map(|e| decimal(e.1));
        }
    }

    /// The share of the branches that can be taken, as far as is known, that are; 1 where there is none.
    #[must_use]
    pub fn coverage(&self) -> f64 {
        let feasible = self.branches.len() - self.infeasible;
        if feasible == 0 { 1.0 } else { self.taken as f64 / feasible as f64 }
    }

    /// For a person.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{}", self.function);
        let mut line = |name: &str, value: String| {
            let _ = writeln!(out, "  {name:<18}{value}");
        };
        line("branches", self.branches.len().to_string());
        line("  taken", self.taken.to_string());
        line("  infeasible", format!("{} (proved)", self.infeasible));
        line("  open", self.open.to_string());
        line(
            "coverage",
            format!("{:.4} ({} of {})", self.coverage(), self.taken, self.branches.len() - self.infeasible),
        );
        line("inputs", self.runs.len().to_string());
        line("runs", self.evaluations.to_string());
        if let Some(native) = &self.native {
            line("native", native.text());
        }
        let judged: Vec<&str> = self.runs.iter().filter_map(|r| r.verdict.as_deref()).collect();
        if !judged.is_empty() {
            let count = |v: &str| judged.iter().filter(|j| **j == v).count();
            let (ko, outside) = (count("KO"), count("outside"));
            let text =
                format!("{} OK, {ko} KO, {} UNCERTAIN, {outside} outside the domain", count("OK"), count("UNCERTAIN"));
            line("oracle", text);
            let errors = self.runs.iter().filter_map(|r| r.error_in_bounds.as_ref()?.parse().ok());
            if let Some(most) = errors.max_by(f64::total_cmp) {
                line("largest error", format!("{} x the bound", rough(most)));
            }
        }
        for (title, status) in [("not taken, and nothing proved", Standing::Open), ("infeasible", Standing::Infeasible)]
        {
            let of: Vec<&Branch> = self.branches.iter().filter(|b| b.status == status).collect();
            if !of.is_empty() {
                let _ = writeln!(out, "{title}");
            }
            for b in of {
                let boxes = b.boxes.map_or(String::new(), |n| format!(" ({n} boxes)"));
                let _ = writeln!(out, "  {}{boxes}", place(b));
            }
        }
        self.wrong(&mut out);
        for r in self.runs.iter().filter(|r| r.result.starts_with("trap")) {
            let _ = writeln!(out, "{}  at {}", r.result, shown(&self.inputs, r));
        }
        out
    }

    /// The wrong results, those furthest from what is owed first, each with the branches on which it is the worst.
    fn wrong(&self, out: &mut String) {
        let size = |r: &Run| r.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).unwrap_or(f64::INFINITY);
        let mut wrong: Vec<&Run> = self.runs.iter().filter(|r| r.verdict.as_deref() == Some("KO")).collect();
        wrong.sort_by(|a, b| size(b).total_cmp(&size(a)));
        for r in wrong {
            let _ = writeln!(out, "KO  {} gives {}{}", shown(&self.inputs, r), r.result, far(r));
            for b in &r.worst_of {
                let _ = writeln!(out, "    the largest error found on {}", place(&self.branches[*b]));
            }
        }
    }

    /// A row for each branch.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        // A vector takes whatever is written.
        let _ = out.write_record([
            "file",
            "line",
            "column",
            "occurrence",
            "way",
            "to",
            "status",
            "input",
            "result",
            "worst_input",
            "worst_result",
            "error_in_bounds",
            "verdict",
        ]);
        for b in &self.branches {
            let (run, worst) = (b.by.map(|i| &self.runs[i]), b.worst.map(|i| &self.runs[i]));
            let status = match b.status {
                Standing::Taken => "taken",
                Standing::Infeasible => "infeasible",
                Standing::Open => "open",
            };
            let _ = out.write_record([
                b.file.clone(),
                b.line.to_string(),
                b.column.to_string(),
                b.occurrence.to_string(),
                b.way.to_string(),
                b.to.to_string(),
                status.to_owned(),
                run.map(|r| r.input.join(" ")).unwrap_or_default(),
                run.map(|r| r.result.clone()).unwrap_or_default(),
                worst.map(|r| r.input.join(" ")).unwrap_or_default(),
                worst.map(|r| r.result.clone()).unwrap_or_default(),
                worst.and_then(|r| r.error_in_bounds.clone()).unwrap_or_default(),
                worst.and_then(|r| r.verdict.clone()).unwrap_or_default(),
            ]);
        }
        String::from_utf8(out.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// The inputs as a test file that `check` and `eval` take: those whose values are all finite numbers.
    #[must_use]
    pub fn tests(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        let _ = out.write_record([&["test_id".to_owned()], &self.inputs[..]].concat());
        let finite = |r: &&Run| r.values.as_ref().is_some_and(|v| v.iter().all(|x| x.is_finite()));
        for (i, r) in self.runs.iter().filter(finite).enumerate() {
            let _ = out.write_record([&[format!("c{:03}", i + 1)], &r.input[..]].concat());
        }
        String::from_utf8(out.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// For tools that show coverage beside the source: lcov's format.
    #[must_use]
    pub fn lcov(&self) -> String {
        let mut files: BTreeMap<&str, Vec<&Branch>> = BTreeMap::new();
        for b in &self.branches {
            files.entry(&b.file).or_default().push(b);
        }
        let mut out = String::new();
        for (file, branches) in files {
            let _ = writeln!(out, "TN:\nSF:{file}");
            let taken = branches.iter().filter(|b| b.status == Standing::Taken).count();
            for b in &branches {
                let hit = if b.status == Standing::Taken { "1" } else { "0" };
                let _ = writeln!(out, "BRDA:{},{},{},{hit}", b.line, b.occurrence - 1, b.way);
            }
            let _ = writeln!(out, "BRF:{}\nBRH:{taken}\nend_of_record", branches.len());
        }
        out
    }
}

/// A branch as people name it.
fn place(b: &Branch) -> String {
    format!("{}:{}:{}{} -> line {}", b.file, b.line, b.column, nth(b.occurrence), b.to)
}

/// How far a result is from what is owed.
fn far(run: &Run) -> String {
    let size = |text: &Option<String>| text.as_ref().and_then(|t| t.parse().ok()).map(rough);
    match (size(&run.error_in_bounds), size(&run.error_in_ulps)) {
        (Some(bounds), Some(ulps)) => format!(": error {bounds} x the bound, {ulps} ulps"),
        _ => String::new(),
    }
}

fn nth(occurrence: u32) -> String {
    if occurrence > 1 { format!(" #{occurrence}") } else { String::new() }
}

fn shown(names: &[String], run: &Run) -> String {
    let each = names.iter().zip(run.input.iter().zip(&run.input_dec));
    each.map(|(n, (x, d))| if x == d { format!("{n} = {x}") } else { format!("{n} = {x} ({d})") })
        .collect::<Vec<_>>()
        .join(", ")
}

fn run(program: &Program, input: &[u64], outcome: &Result<Option<u64>, Trap>, first: &[usize]) -> Run {
    let kinds = || program.inputs.iter().map(|i| i.kind);
    let texts: Vec<(String, String)> = kinds().zip(input).map(|(k, x)| text(k, *x)).collect();
    let (result, result_dec) = match (outcome, program.result()) {
        (Ok(Some(bits)), Some(kind)) => text(kind, *bits),
        (Ok(_), _) => ("none".to_owned(), "none".to_owned()),
        (Err(trap), _) => (format!("trap: {trap}"), format!("trap: {trap}")),
    };
    Run {
        input: texts.iter().map(|t| t.0.clone()).collect(),
        input_dec: texts.into_iter().map(|t| t.1).collect(),
        result,
        result_dec,
        branches: first.to_vec(),
        worst_of: Vec::new(),
        verdict: None,
        error_in_bounds: None,
        error_in_ulps: None,
        bits: input.to_vec(),
        values: kinds().zip(input).map(|(k, x)| number(k, *x)).collect(),
        value: match (outcome, program.result()) {
            (Ok(Some(bits)), Some(kind)) => number(kind, *bits),
            _ => None,
        },
    }
}
