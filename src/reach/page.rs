//! A [`Document`] as a page of the source.

use super::document::{Document, Standing};
use super::replay::Replayed;
use crate::record::number::rough;
use crate::report::html::code::{Branch, File, Page, Run, Status, page};
use std::collections::BTreeMap;
use std::path::Path;

/// Lines that are shown before the first and after the last branch of a file.
const AROUND: u32 = 4;

/// The page; `specification` is the name of the one that judged the results. Sources are read where they were compiled.
#[must_use]
pub fn html(of: &Document, specification: Option<&str>) -> String {
    let mut files: BTreeMap<&str, Vec<Branch>> = BTreeMap::new();
    for b in &of.branches {
        files.entry(&b.file).or_default().push(Branch {
            line: b.line,
            place: b.column(),
            to: b.leads(),
            given: b.given.clone(),
            status: match b.status {
                Standing::Taken => Status::Taken,
                Standing::Infeasible => Status::Infeasible,
                Standing::Given => Status::Given,
                Standing::Open => Status::Open,
            },
            note: b.recheck.as_ref().map_or(String::new(), |r| format!(", {r} boxes")),
            by: b.by,
            worst: b.worst,
        });
    }
    let file =
        |(name, branches): (&str, Vec<Branch>)| File { name: name.to_owned(), lines: lines(name, &branches), branches };
    let takes = |branches: &[usize]| {
        let at = |i: &usize| {
            of.branches.get(*i).map(|b| match (&b.asked, b.offset) {
                (None, None) => format!("{}:{} → {}", b.line, b.column, b.to),
                _ => format!("{}:{} {}", b.line, b.column(), b.leads()),
            })
        };
        branches.iter().filter_map(at).collect()
    };
    let runs = of.runs.iter().map(|r| Run {
        input: r.input.iter().cloned().zip(r.input_dec.iter().cloned()).collect(),
        result: r.result_dec.clone(),
        verdict: r.verdict.clone(),
        error: r.error_in_bounds.as_ref().and_then(|e| e.parse().ok()).map_or(String::new(), rough),
        takes: takes(&r.branches),
        worst_of: takes(&r.worst_of),
    });
    page(&Page {
        function: of.function.clone(),
        specification: specification.map(str::to_owned),
        inputs: of.inputs.clone(),
        evaluations: of.evaluations,
        confirmed: of.confirmed(),
        runs: runs.collect(),
        files: files.into_iter().map(file).collect(),
        native: of.native.as_ref().map(Replayed::text),
    })
}

/// The lines around branches, with the number of the first; none where the file cannot be read.
fn lines(name: &str, branches: &[Branch]) -> (u32, Vec<String>) {
    let text = std::fs::read(Path::new(name)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let from = branches.iter().map(|b| b.line).min().unwrap_or(1).saturating_sub(AROUND).max(1);
    let upto = branches.iter().map(|b| b.line).max().unwrap_or(1) + AROUND;
    let some = text.lines().skip(from as usize - 1).take((upto - from + 1) as usize);
    (from, some.map(str::to_owned).collect())
}
