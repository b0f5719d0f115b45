//! `magneto bench rounding`

use super::tell;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use clap::{ArgMatches, Args, Command, value_parser};
use magneto::bench::rounding::{
    FormulaTable, Published, RoundingPlan, RoundingRow, RoundingStatus, RoundingSummary, measure, read, read_published,
    subjects, summary,
};
use magneto::num::AtMost;
use magneto::ops::float::LibmUlps;
use magneto::record::Document;
use magneto::unfit::Unfit;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Proved bounds on the rounding errors of FPBench's formulas as they are written
#[derive(Args)]
#[group(skip)]
struct Options {
    /// A CSV file with the columns name, suite, format, abs_bound, rel_bound, cpu_seconds, abs_lower and rel_lower
    #[arg(long, value_name = "FILE")]
    bounds: Option<PathBuf>,
    /// A CSV file of bounds of absolute errors in binary64: the column name and a column for each tool
    #[arg(long, value_name = "FILE")]
    published: Option<PathBuf>,
    /// The most boxes to look at for one bound
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..), default_value_t = 2000)]
    boxes: u64,
    /// At how many inputs errors are measured
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..), default_value_t = 2000)]
    evaluations: u32,
    /// The errors of library functions. Unit: ulps, from 0.5 (correctly rounded) on; 0.75 is FPTaylor's model
    #[arg(long, value_name = "N", default_value_t = 0.75)]
    libm_ulps: f64,
    /// Only formulas whose name or suite contains it
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    #[command(flatten)]
    part: Sharded,
}

pub(super) fn command() -> Command {
    flags::alone::<Options>(
        "rounding",
        &[],
        "In binary64 and binary32. With --bounds and --published, beside the bounds of other tools. The status is whether the \
         relative accuracy 1e-10 (binary32: 1e-4) is met. Exit codes: 0; 1 if an error was found that is larger than a \
         bound; 2 input error.",
    )
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundingDocument<'a> {
    summary: &'a RoundingSummary,
    rows: &'a [RoundingRow],
}

impl Document for RoundingDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-rounding/1";
    const WRITER: &'static str = "bench rounding";
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let table: FormulaTable = read_with(options.bounds.as_deref(), read)?;
    let published: Published = read_with(options.published.as_deref(), read_published)?;
    let ulps = options.libm_ulps;
    let plan = RoundingPlan {
        boxes: options.boxes,
        evaluations: options.evaluations as usize,
        ulps: LibmUlps::new(ulps)
            .ok_or_else(|| Failure::usage_hint(format!("--libm-ulps: {ulps} is no such error"), "0.5 is the least"))?,
    };
    let subjects = subjects(options.filter.as_deref());
    let items: Vec<(String, Vec<u8>)> =
        subjects.iter().map(|s| (s.benchmark.name.clone(), s.benchmark.text.as_bytes().to_vec())).collect();
    let tables = format!("{table:?} {published:?}");
    let words: (&[&str], _) = (&["bench", "rounding"], &command());
    let part = shards::part(matches, words, &options.part, tables, &items, output)?;
    let mut rows: Vec<Vec<RoundingRow>> = Vec::new();
    for place in shards::own(part.as_ref(), items.len()) {
        output.progress(&subjects[place].benchmark.name);
        rows.push(measure(&plan, &table, &published, &subjects[place]));
    }
    output.progress("");
    match part {
        Some(part) => part.save(&rows, false, output),
        None => end(matches, rows, output),
    }
}

/// Tells what was found of all formulas, and how that ends.
pub(super) fn end(matches: &ArgMatches, rows: Vec<Vec<RoundingRow>>, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let rows = rows.concat();
    let found = summary(&rows);
    let document = RoundingDocument { summary: &found, rows: &rows };
    tell((&options.part, "bench-rounding.json"), &document, || text(&rows, &found), output)?;
    Ok(if found.contradicted > 0 { Exit::Gate } else { Exit::Passed })
}

/// The table in a file that an option names; empty without it.
fn read_with<T: Default>(path: Option<&Path>, read: impl Fn(&str) -> Result<T, Unfit>) -> Result<T, Failure> {
    let Some(path) = path else { return Ok(T::default()) };
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| Failure::unread(path, &e, &["csv"]))?;
    read(&text).map_err(|e| Failure::usage(format!("{shown}: {e}")))
}

/// Our bounds of absolute errors beside the best published ones.
fn beside_published(rows: &[RoundingRow], s: &RoundingSummary) -> String {
    let mut text = format!(
        "{:<44} {:>10} {:>10} {:>10} {:>7}  best by\n",
        "binary64, absolute error", "ours", "best", "found", "ratio"
    );
    for row in rows {
        let Some((tool, best)) = row.best_published() else { continue };
        let name: String = format!("{}/{}", row.suite, row.name).chars().take(44).collect();
        let ratio = row.absolute.map_or_else(|| "-".to_owned(), |ours| format!("{:.3}", ours.0 / best));
        let below = if row.absolute_found.is_some_and(|found| found > best) { ", below an error found" } else { "" };
        let (ours, found) = (bound(row.absolute), number(row.absolute_found));
        let _ = writeln!(text, "{name:<44} {ours:>10} {best:>10.3e} {found:>10} {ratio:>7}  {tool}{below}");
    }
    let _ = writeln!(text, "at most the best published bound: {} of {}", s.at_most_published, s.published);
    text
}

/// A number of another tool, or an error found.
fn number(x: Option<f64>) -> String {
    x.map_or_else(|| "-".to_owned(), |x| format!("{x:.3e}"))
}

/// A bound of our own.
fn bound(x: Option<AtMost>) -> String {
    x.map_or_else(|| "-".to_owned(), |x| x.to_string())
}

fn text(rows: &[RoundingRow], s: &RoundingSummary) -> String {
    let mut text = format!(
        "{:<44} {:<8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:<6}\n",
        "formula", "format", "absolute", "theirs", "found", "relative", "theirs", "found", "ms", "theirs", "status"
    );
    for row in rows {
        let t = row.theirs.unwrap_or_default();
        let name: String = format!("{}/{}", row.suite, row.name).chars().take(44).collect();
        let status = match row.status {
            RoundingStatus::Met => "met",
            RoundingStatus::Missed => "missed",
            RoundingStatus::Open => "open",
        };
        let note = match (row.contradicted(), row.as_good()) {
            (true, _) => " WRONG",
            (false, Some(false)) => " larger",
            _ => "",
        };
        let [absolute, relative] = [row.absolute, row.relative].map(bound);
        let [their_absolute, their_relative] = [t.absolute, t.relative].map(number);
        let larger = |a: Option<f64>, b: Option<f64>| number([a, b].into_iter().flatten().reduce(f64::max));
        let found = [larger(row.absolute_found, t.absolute_found), larger(row.relative_found, t.relative_found)];
        let seconds = t.seconds.map_or_else(|| "-".to_owned(), |s| format!("{:.0}", s * 1e3));
        let _ = writeln!(
            text,
            "{name:<44} {:<8} {absolute:>10} {their_absolute:>10} {:>10} {relative:>10} {their_relative:>10} {:>10} \
             {:>8.1} {seconds:>8} {status}{note}",
            row.format,
            found[0],
            found[1],
            row.seconds * 1e3,
        );
    }
    if s.compared > 0 {
        let _ = writeln!(
            text,
            "at most the other bound: {} of {}; {:.1} s for both bounds, {:.1} s there",
            s.as_good, s.compared, s.seconds, s.their_seconds
        );
    }
    if s.published > 0 {
        text += &beside_published(rows, s);
    }
    let _ = writeln!(
        text,
        "accuracy met: {}, missed: {}, open: {}, of {}",
        s.met,
        s.missed,
        s.formulas - s.met - s.missed,
        s.formulas
    );
    let _ = writeln!(text, "bounds below an error found: {}", s.contradicted);
    text
}
