//! The files of a measurement: table, plot, page.

use super::{CoverFailure, CoverRow, CoverTotal, Plan, WAYS, totals};
use crate::bench::NotMade;
use crate::bench::draw::{Axis, Panel, Series, panels};
use crate::bench::figures::picture;
use crate::record::store::Files;
use crate::record::table::Table;
use crate::record::{Document, Provenance, json};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// All of a measurement.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CoverDocument<'a> {
    #[serde(flatten)]
    made: Provenance,
    /// What the functions are.
    pub code: &'a str,
    /// What was measured.
    pub plan: Plan,
    /// By way and seed.
    pub totals: Vec<CoverTotal>,
    /// By function.
    pub functions: &'a [CoverRow],
}

impl Document for CoverDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-cover/1";
    const WRITER: &'static str = "bench cover";
}

impl<'a> CoverDocument<'a> {
    /// Of functions that are called `code`.
    #[must_use]
    pub fn new(code: &'a str, plan: Plan, functions: &'a [CoverRow]) -> Self {
        CoverDocument { made: Provenance::here(), code, plan, totals: totals(functions, &plan), functions }
    }

    /// For a person.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{} functions, {} runs of each\n", self.functions.len(), self.plan.evaluations);
        for t in &self.totals {
            let proved = if t.way == WAYS[0] {
                format!(", {} proved infeasible, {:.3} s in the mean until the last", t.infeasible, t.seconds)
            } else {
                String::new()
            };
            let _ = writeln!(out, "  {:<24}seed {}: {} of {} branches{proved}", t.way, t.seed, t.taken, t.branches);
        }
        for row in self.functions {
            for (seed, line) in &row.open {
                let _ = writeln!(out, "  open  {} {}:{line} (seed {seed})", row.function, row.file);
            }
        }
        out
    }

    /// README, manifest, table and plot.
    ///
    /// # Errors
    /// What the libraries that draw say.
    pub fn files(&self) -> Result<Files, CoverFailure> {
        let mut files = Files::new();
        let svg = self.figure().map_err(CoverFailure::Drawing)?;
        picture(&mut files, "cover", svg, self.growth());
        files.insert("functions.csv".to_owned(), self.table());
        files.insert("manifest.json".to_owned(), json::document(self));
        files.insert("README.md".to_owned(), self.readme().into_bytes());
        Ok(files)
    }

    /// The ways that were measured.
    fn ways(&self) -> impl Iterator<Item = &'static str> {
        WAYS.into_iter().take(if self.plan.alone { 1 } else { WAYS.len() })
    }

    /// The mean share of the branches not proved infeasible that a way has taken after so many runs.
    fn share(&self, way: &str, evaluation: u64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in self.functions {
            let infeasible = row.infeasible.iter().max().copied().unwrap_or(0);
            let feasible = (row.branches - infeasible).max(1) as f64;
            for w in row.ways.iter().filter(|w| w.way == way) {
                sum += w.growth.iter().filter(|e| **e <= evaluation).count() as f64 / feasible;
                count += 1.0;
            }
        }
        if count == 0.0 { 0.0 } else { sum / count }
    }

    /// Numbers of runs at which shares are shown: a few in each power of ten.
    fn steps(&self) -> Vec<u64> {
        let mut steps: Vec<u64> = (0..)
            .map(|k| 10f64.powf(f64::from(k) / 5.0).round() as u64)
            .take_while(|n| *n < self.plan.evaluations)
            .collect();
        steps.push(self.plan.evaluations);
        steps.dedup();
        steps
    }

    fn growth(&self) -> Vec<u8> {
        let mut table = Table::new(["runs"].into_iter().chain(self.ways()));
        for n in self.steps() {
            let shares = self.ways().map(|way| format!("{:.4}", self.share(way, n)));
            table.row([n.to_string()].into_iter().chain(shares));
        }
        table.finish()
    }

    fn figure(&self) -> Result<String, NotMade> {
        let steps = self.steps();
        let series = self.ways().enumerate().map(|(style, way)| Series {
            name: way.to_owned(),
            style,
            joined: true,
            points: steps.iter().map(|n| (*n as f64, 100.0 * self.share(way, *n))).collect(),
        });
        let panel = Panel {
            title: format!("{}: branches taken, those proved infeasible left out", self.code),
            x: Axis::log("runs of the code", steps.iter().map(|n| *n as f64)),
            y: Axis::linear("percent, mean over functions", 0.0, 102.0),
            series: series.collect(),
        };
        panels(&[panel])
    }

    fn table(&self) -> Vec<u8> {
        let head = ["function", "file", "branches", "infeasible", "seconds until last"];
        let mut table = Table::new(head.into_iter().chain(self.ways()));
        for row in self.functions {
            let mean = |way: &str| {
                let taken: Vec<f64> = row.ways.iter().filter(|w| w.way == way).map(|w| w.taken as f64).collect();
                format!("{}", taken.iter().sum::<f64>() / taken.len().max(1) as f64)
            };
            let infeasible = row.infeasible.iter().min().copied().unwrap_or(0);
            let seconds = row.seconds.iter().sum::<f64>() / row.seconds.len().max(1) as f64;
            let fixed = [
                row.function.clone(),
                row.file.clone(),
                row.branches.to_string(),
                infeasible.to_string(),
                format!("{seconds:.4}"),
            ];
            table.row(fixed.into_iter().chain(self.ways().map(mean)));
        }
        table.finish()
    }

    fn readme(&self) -> String {
        let mut out = format!("# Branches of code: {}\n\n", self.code);
        let commit = self.made.commit.as_ref().map_or(String::new(), |c| format!(" ({c})"));
        let _ = writeln!(
            out,
            "Magneto {}{commit}, {}. {} functions, {} runs of the code for each function, way and start offset; times are \
             wall-clock times. Infeasible branches are proved so by the program; branches that are neither taken nor \
             proved are open.\n\n![Branches by runs](cover.svg)\n",
            self.made.magneto,
            self.made.platform,
            self.functions.len(),
            self.plan.evaluations
        );
        out.push_str("| way | start offset | taken | of | proved infeasible | open | s a function until the last |\n");
        out.push_str("|---|---:|---:|---:|---:|---:|---:|\n");
        for t in &self.totals {
            let own = t.way == WAYS[0];
            let or = |text: String| if own { text } else { String::new() };
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} |",
                t.way,
                t.seed,
                t.taken,
                t.branches,
                or(t.infeasible.to_string()),
                or((t.branches - t.taken - t.infeasible).to_string()),
                or(format!("{:.3}", t.seconds))
            );
        }
        out.push_str(
            "\nThe other ways have the same number of runs and count as done with every branch taken: inputs of every size at \
             random; the alternating-variable method over values in place of ordinals; basin hopping with Powell's method on \
             the representing function of CoverMe (Fu and Su, PLDI 2017), written for this comparison. `functions.csv` has \
             every function (means over start offsets), `cover.csv` the points of the plot.\n",
        );
        out
    }
}
