//! `magneto bench rounding`

use super::tell;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use crate::cli::shards;
use clap::{Arg, ArgMatches, Command, value_parser};
use magneto::bench::rounding::{
    Plan, Published, Row, Status, Summary, Table, measure, read, read_published, subjects, summary,
};
use magneto::num::AtMost;
use magneto::ops::float::LibmUlps;
use magneto::record::Document;
use magneto::unfit::Unfit;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;

pub(super) fn command() -> Command {
    let value = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let command = Command::new("rounding")
        .about("Proved bounds on the rounding errors of FPBench's formulas as they are written")
        .after_help(
            "In binary64 and binary32. With --bounds and --published, beside the bounds of other tools. The status is whether the \
             relative accuracy 1e-10 (binary32: 1e-4) is met. Exit codes: 0; 1 if an error was found that is larger \
             than a bound; 2 input error.",
        )
        .arg(value("bounds", "FILE").value_parser(value_parser!(PathBuf)).help(
            "A CSV file with the columns name, suite, format, abs_bound, rel_bound, cpu_seconds, abs_lower and rel_lower",
        ))
        .arg(value("published", "FILE").value_parser(value_parser!(PathBuf)).help(
            "A CSV file of bounds of absolute errors in binary64: the column name and a column for each tool",
        ))
        .arg(
            value("boxes", "N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("2000")
                .help("The most boxes to look at for one bound"),
        )
        .arg(
            value("evaluations", "N")
                .value_parser(value_parser!(u32).range(1..))
                .default_value("2000")
                .help("At how many inputs errors are measured"),
        )
        .arg(
            value("libm-ulps", "N")
                .value_parser(value_parser!(f64))
                .default_value("0.75")
                .help("The errors of library functions. Unit: ulps, from 0.5 (correctly rounded) on; 0.75 is FPTaylor's model"),
        )
        .arg(Arg::new("filter").long("filter").value_name("TEXT").help("Only formulas whose name or suite contains it"));
    shards::arguments(command)
}

#[derive(Serialize, JsonSchema)]
pub(super) struct RoundingDocument<'a> {
    summary: &'a Summary,
    rows: &'a [Row],
}

impl Document for RoundingDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-rounding/1";
    const WRITER: &'static str = "bench rounding";
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let table: Table = read_with(matches, "bounds", read)?;
    let published: Published = read_with(matches, "published", read_published)?;
    let ulps = matches.get_one::<f64>("libm-ulps").copied().unwrap_or(0.75);
    let plan = Plan {
        boxes: matches.get_one::<u64>("boxes").copied().unwrap_or(2000),
        evaluations: matches.get_one::<u32>("evaluations").map_or(2000, |n| *n as usize),
        ulps: LibmUlps::new(ulps)
            .ok_or_else(|| Failure::usage_hint(format!("--libm-ulps: {ulps} is no such error"), "0.5 is the least"))?,
    };
    let filter = matches.get_one::<String>("filter").map(String::as_str);
    let subjects = subjects(filter);
    let items: Vec<(String, Vec<u8>)> =
        subjects.iter().map(|s| (s.benchmark.name.clone(), s.benchmark.text.as_bytes().to_vec())).collect();
    let tables = format!("{table:?} {published:?}");
    let part = shards::part(matches, (&["bench", "rounding"], &command()), tables, &items, output)?;
    let mut rows: Vec<Vec<Row>> = Vec::new();
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
pub(super) fn end(matches: &ArgMatches, rows: Vec<Vec<Row>>, output: &Output) -> Result<Exit, Failure> {
    let rows = rows.concat();
    let found = summary(&rows);
    let document = RoundingDocument { summary: &found, rows: &rows };
    tell((matches, "bench-rounding.json"), &document, || text(&rows, &found), output)?;
    Ok(if found.contradicted > 0 { Exit::Gate } else { Exit::Passed })
}

/// The table in the file that an option names; empty without it.
fn read_with<T: Default>(
    matches: &ArgMatches,
    option: &str,
    read: impl Fn(&str) -> Result<T, Unfit>,
) -> Result<T, Failure> {
    let Some(path) = matches.get_one::<PathBuf>(option) else { return Ok(T::default()) };
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| Failure::usage(format!("cannot read {shown}: {e}")))?;
    read(&text).map_err(|e| Failure::usage(format!("{shown}: {e}")))
}

/// Our bounds of absolute errors beside the best published ones.
fn beside_published(rows: &[Row], s: &Summary) -> String {
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

fn text(rows: &[Row], s: &Summary) -> String {
    let mut text = format!(
        "{:<44} {:<8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8} {:<6}\n",
        "formula", "format", "absolute", "theirs", "found", "relative", "theirs", "found", "ms", "theirs", "status"
    );
    for row in rows {
        let t = row.theirs.unwrap_or_default();
        let name: String = format!("{}/{}", row.suite, row.name).chars().take(44).collect();
        let status = match row.status {
            Status::Met => "met",
            Status::Missed => "missed",
            Status::Open => "open",
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
