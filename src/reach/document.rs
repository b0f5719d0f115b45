//! What a search for coverage came to, for people and for other tools.

use super::coverage::{Coverage, Reached};
use crate::code::machine::Trap;
use crate::code::program::{Kind, Program};
use crate::num::float::{decimal, hex};
use crate::search::ordinal::ordinal;
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
    /// `OK`, `KO`, `UNCERTAIN`, or `outside` the specification's domain; none without a specification.
    pub verdict: Option<String>,
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
    /// The inputs that took something new, in the order in which they were found.
    pub runs: Vec<Run>,
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
        let judged: Vec<&str> = self.runs.iter().filter_map(|r| r.verdict.as_deref()).collect();
        if !judged.is_empty() {
            let count = |v: &str| judged.iter().filter(|j| **j == v).count();
            let (ko, outside) = (count("KO"), count("outside"));
            let text =
                format!("{} OK, {ko} KO, {} UNCERTAIN, {outside} outside the domain", count("OK"), count("UNCERTAIN"));
            line("oracle", text);
        }
        for (title, status) in [("not taken, and nothing proved", Standing::Open), ("infeasible", Standing::Infeasible)]
        {
            let of: Vec<&Branch> = self.branches.iter().filter(|b| b.status == status).collect();
            if !of.is_empty() {
                let _ = writeln!(out, "{title}");
            }
            for b in of {
                let boxes = b.boxes.map_or(String::new(), |n| format!(" ({n} boxes)"));
                let _ =
                    writeln!(out, "  {}:{}:{}{} -> line {}{boxes}", b.file, b.line, b.column, nth(b.occurrence), b.to);
            }
        }
        for r in self.runs.iter().filter(|r| r.verdict.as_deref() == Some("KO")) {
            let _ = writeln!(out, "KO  {} gives {}", shown(&self.inputs, r), r.result);
        }
        for r in self.runs.iter().filter(|r| r.result.starts_with("trap")) {
            let _ = writeln!(out, "{}  at {}", r.result, shown(&self.inputs, r));
        }
        out
    }

    /// A row for each branch.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        // A vector takes whatever is written.
        let _ = out.write_record(["file", "line", "column", "occurrence", "way", "to", "status", "input", "result"]);
        for b in &self.branches {
            let run = b.by.map(|i| &self.runs[i]);
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
        verdict: None,
        values: kinds().zip(input).map(|(k, x)| number(k, *x)).collect(),
        value: match (outcome, program.result()) {
            (Ok(Some(bits)), Some(kind)) => number(kind, *bits),
            _ => None,
        },
    }
}

/// A value as a binary64 number, if it is one exactly.
fn number(kind: Kind, bits: u64) -> Option<f64> {
    match kind {
        Kind::F64 => Some(f64::from_bits(bits)),
        Kind::F32 => Some(f32::from_bits(bits as u32).into()),
        Kind::Int { .. } => {
            let n = ordinal(kind, bits);
            let x = n as f64;
            (x as i128 == n).then_some(x)
        }
    }
}

/// A value in hexadecimal and in decimal; an integer in decimal both times.
fn text(kind: Kind, bits: u64) -> (String, String) {
    match kind {
        Kind::F64 => (hex(f64::from_bits(bits)), decimal(f64::from_bits(bits))),
        Kind::F32 => {
            let x = f32::from_bits(bits as u32);
            (hex(x.into()), if x.is_finite() { format!("{x:?}") } else { decimal(x.into()) })
        }
        Kind::Int { .. } => (ordinal(kind, bits).to_string(), ordinal(kind, bits).to_string()),
    }
}
