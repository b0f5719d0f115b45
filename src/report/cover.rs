//! What `cover` found: for people, a table, tests, lcov.

pub mod cases;
pub mod several;

use super::off::ErrorUnit;
use crate::reach::recheck::Recheck;
use crate::record::cover::{Branch, BranchStatus, CoveredFunction, CoveredFunctions, CoveredInput, RefusedFunction};
use crate::record::store::FileKind;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// By what a file of [`CoveredFunction::lcov`] is known: the name of the test, with which each of its parts begins.
pub const LCOV: FileKind = FileKind { name: "an lcov file", start: "TN:magneto", inside: "" };

impl CoveredFunction {
    /// For a person.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{}", self.function);
        let mut line = |name: &str, value: String| {
            let _ = writeln!(out, "  {name:<17} {value}");
        };
        let asked = self.branches.iter().any(|b| b.asked.is_some());
        if let Some(before) = &self.before {
            line("called before", before.clone());
        }
        line(if asked { "goals" } else { "branches" }, self.branches.len().to_string());
        line(if asked { "  reached" } else { "  taken" }, self.taken.to_string());
        let confirmed = self.confirmed().map_or(String::new(), |n| format!(", {n} confirmed"));
        line("  infeasible", format!("{} (proved{confirmed})", self.infeasible));
        if self.infeasible_given > 0 {
            line("  infeasible, given", format!("{} (proved under assumptions, see below)", self.infeasible_given));
        }
        line("  open", self.open.to_string());
        line(
            "coverage",
            format!("{:.4} ({} of {})", self.coverage(), self.taken, self.branches.len() - self.infeasible),
        );
        line("inputs", self.runs.len().to_string());
        line("runs", self.evaluations.to_string());
        // Where most runs end early, that is why branches are open.
        let ended: u64 = self.ended.values().sum();
        if self.open > 0 && 2 * ended > self.evaluations {
            let mut ends: Vec<_> = self.ended.iter().collect();
            ends.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let ends: Vec<String> = ends.iter().take(3).map(|(at, count)| format!("{at} ({count})")).collect();
            line("  ended early", format!("{ended}: {}", ends.join(", ")));
        }
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
                line("largest error", self.unit().tell(most));
            }
        }
        for (title, status) in [
            ("not reached, and nothing proved", BranchStatus::Open),
            ("infeasible under assumptions", BranchStatus::Given),
            ("infeasible", BranchStatus::Infeasible),
        ] {
            let of: Vec<&Branch> = self.branches.iter().filter(|b| b.status == status).collect();
            if !of.is_empty() {
                let _ = writeln!(out, "{title}");
            }
            for b in of {
                let again = b.recheck.as_ref().map_or(String::new(), |r| format!(", {r}"));
                let boxes = b.boxes.map_or(String::new(), |n| format!(" ({n} boxes{again})"));
                let given =
                    if b.given.is_empty() { String::new() } else { format!(", given that {}", b.given.join(", and ")) };
                let _ = writeln!(out, "  {}{boxes}{given}", place(b));
            }
        }
        for b in self.branches.iter().filter(|b| b.asked.is_some()) {
            let Some(r) = b.by.map(|i| &self.runs[i]) else { continue };
            let _ = writeln!(out, "reached  {}  at {}", place(b), shown(&self.inputs, r));
        }
        self.wrong(&mut out);
        for r in self.runs.iter().filter(|r| r.result.starts_with("trap")) {
            let _ = writeln!(out, "{}  at {}", r.result, shown(&self.inputs, r));
        }
        out
    }

    /// The branches whose proofs do not hold, with an input that takes each.
    pub fn refuted(&self) -> impl Iterator<Item = String> + '_ {
        self.branches.iter().filter_map(|b| match &b.recheck {
            Some(Recheck::Refuted(input)) => Some(format!("{} (bits {input:x?})", place(b))),
            _ => None,
        })
    }

    /// What fails it: wrong results, branches of which nothing is known, and where the native program does something else.
    fn faults(&self, out: &mut String) {
        self.wrong(out);
        for b in self.branches.iter().filter(|b| matches!(b.status, BranchStatus::Open | BranchStatus::Given)) {
            let _ = writeln!(out, "{}  {}", b.status.word(), place(b));
        }
        if let Some(native) = self.native.as_ref().filter(|n| n.differs()) {
            let _ = writeln!(out, "native  {}", native.text());
        }
    }

    /// The wrong results, those furthest from what is owed first, each with the branches on which it is the worst.
    fn wrong(&self, out: &mut String) {
        let size = |r: &CoveredInput| r.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).unwrap_or(f64::INFINITY);
        let mut wrong: Vec<&CoveredInput> = self.runs.iter().filter(|r| r.verdict.as_deref() == Some("KO")).collect();
        wrong.sort_by(|a, b| size(b).total_cmp(&size(a)));
        for r in wrong {
            let far = r.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).map(|bounds| self.unit().tell(bounds));
            let far = far.map_or_else(String::new, |far| format!(": off by {far}"));
            let _ = writeln!(out, "KO  {} gives {}{far}", shown(&self.inputs, r), r.result);
            for b in &r.worst_of {
                let _ = writeln!(out, "    the largest error found on {}", place(&self.branches[*b]));
            }
        }
    }

    /// The unit of errors: that of the accuracy.
    fn unit(&self) -> ErrorUnit {
        self.judging.as_ref().map_or(ErrorUnit::Bound, |judging| ErrorUnit::read(&judging.accuracy))
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
            "offset",
            "way",
            "to",
            "asked",
            "status",
            "given",
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
                BranchStatus::Given => "given",
                status => status.word(),
            };
            let _ = out.write_record([
                b.file.clone(),
                b.line.to_string(),
                b.column.to_string(),
                b.occurrence.to_string(),
                b.offset.map(|o| format!("{o:#x}")).unwrap_or_default(),
                b.way.to_string(),
                b.to.to_string(),
                b.asked.clone().unwrap_or_default(),
                status.to_owned(),
                b.given.join("; "),
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

    /// The inputs as a test file that `check` and `eval` take; NaN and infinities are named, and left out there.
    #[must_use]
    pub fn tests(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        // With a specification its inputs.
        let columns = match &self.judging {
            Some(judging) => judging.inputs.iter().map(|i| i.column.clone()).collect(),
            None => self.inputs.clone(),
        };
        let _ = out.write_record([vec!["test_id".to_owned()], columns].concat());
        for (i, r) in self.runs.iter().enumerate() {
            let _ = out.write_record([&[format!("c{:03}", i + 1)], &r.input[..]].concat());
        }
        String::from_utf8(out.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// For tools that show coverage beside the source: lcov's format. What has no line is left out.
    #[must_use]
    pub fn lcov(&self) -> String {
        let mut files: BTreeMap<&str, Vec<&Branch>> = BTreeMap::new();
        for b in self.branches.iter().filter(|b| b.offset.is_none() && b.asked.is_none()) {
            files.entry(&b.file).or_default().push(b);
        }
        let mut out = String::new();
        for (file, branches) in files {
            let _ = writeln!(out, "{}\nSF:{file}", LCOV.start);
            let taken = branches.iter().filter(|b| b.status == BranchStatus::Taken).count();
            for b in &branches {
                let hit = if b.status == BranchStatus::Taken { "1" } else { "0" };
                let _ = writeln!(out, "BRDA:{},{},{},{hit}", b.line, b.occurrence - 1, b.way);
            }
            let _ = writeln!(out, "BRF:{}\nBRH:{taken}\nend_of_record", branches.len());
        }
        out
    }
}

impl BranchStatus {
    /// Its word, for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            BranchStatus::Taken => "taken",
            BranchStatus::Infeasible => "infeasible",
            BranchStatus::Given => "infeasible, given",
            BranchStatus::Open => "open",
        }
    }
}

impl Branch {
    /// Where it leads, or what is asked there.
    #[must_use]
    pub fn leads(&self) -> String {
        match (&self.asked, self.offset) {
            (Some(asked), _) => asked.clone(),
            (None, Some(_)) => format!("way {}", self.way),
            (None, None) => format!("line {}", self.to),
        }
    }

    /// Where in its line it stands, or in its function where there are no lines.
    #[must_use]
    pub fn column(&self) -> String {
        let nth = nth(self.occurrence);
        self.offset.map_or_else(|| format!("{}{nth}", self.column), |offset| format!("+{offset:#x}{nth}"))
    }
}

/// A branch as people name it.
fn place(b: &Branch) -> String {
    let at = match b.offset {
        Some(_) => format!("{}{}", b.file, b.column()),
        None => format!("{}:{}:{}", b.file, b.line, b.column()),
    };
    format!("{at} {}{}", if b.asked.is_some() { "" } else { "-> " }, b.leads())
}

fn nth(occurrence: u32) -> String {
    if occurrence > 1 { format!(" #{occurrence}") } else { String::new() }
}

fn shown(names: &[String], run: &CoveredInput) -> String {
    let each = names.iter().zip(run.input.iter().zip(&run.input_dec));
    each.map(|(n, (x, d))| if x == d { format!("{n} = {x}") } else { format!("{n} = {x} ({d})") })
        .collect::<Vec<_>>()
        .join(", ")
}

impl CoveredFunctions {
    /// A line for each function, why others were refused, and the sums.
    #[must_use]
    pub fn text(&self) -> String {
        let functions: Vec<&CoveredFunction> = self.functions.iter().map(|f| &f.0).collect();
        let names = functions.iter().map(|f| &f.function).chain(self.refused.iter().map(|r| &r.function));
        let width = names.map(|name| name.chars().count()).chain(["function".len()]).max().unwrap_or_default();
        let mut out = format!("{:<width$}  branches   taken  infeasible    open  coverage\n", "function");
        let mut line = |name: &str, counts: [usize; 4]| {
            let [branches, taken, infeasible, open] = counts;
            let share = if branches == infeasible { 1.0 } else { taken as f64 / (branches - infeasible) as f64 };
            let _ = writeln!(out, "{name:<width$}{branches:>10}{taken:>8}{infeasible:>12}{open:>8}{share:>10.4}");
        };
        let mut sums = [0; 4];
        for f in &functions {
            let counts = [f.branches.len(), f.taken, f.infeasible, f.open + f.infeasible_given];
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            line(&f.function, counts);
        }
        line("all", sums);
        for RefusedFunction { function, reason } in &self.refused {
            let _ = writeln!(out, "{function:<width$}  refused: {reason}");
        }
        // What the exit code says, and calls that somebody would look for.
        for f in &functions {
            if let Some(native) = f.native.as_ref().filter(|n| n.differs() || !n.unwritten.is_empty()) {
                let _ = writeln!(out, "{}: {}", f.function, native.text());
            }
        }
        let all = functions.len() + self.refused.len();
        let _ = writeln!(out, "{} of {all} functions looked into", functions.len());
        out
    }
}
