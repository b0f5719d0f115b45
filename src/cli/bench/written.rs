//! `magneto bench written`

use super::super::interrupt::STOP;
use super::tell;
use crate::cli::exit::{Exit, Failure};
use crate::cli::flags;
use crate::cli::output::Output;
use crate::cli::shards::{self, Sharded};
use crate::cli::specs::load_named;
use clap::{ArgMatches, Args, Command};
use magneto::bench::rounding::RoundingStatus;
use magneto::bench::written::{Follow, WrittenPlan, WrittenRow, WrittenSummary, formulas, measure, summary};
use magneto::floats::Format;
use magneto::options::{BUDGET, JOBS, Knob, OPERATORS, Settings};
use magneto::record::Document;
use magneto::spec::Spec;
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::atomic::Ordering;

/// The knobs that it has.
const KNOBS: [&Knob; 3] = [OPERATORS, BUDGET, JOBS];

/// Whether formulas as they are written meet their accuracy, and whether the tests find it where they do not
#[derive(Args)]
#[group(skip)]
struct Options {
    /// FPCore files whose formulas are taken. Default: FPBench's formulas without loops
    #[arg(value_name = "SPEC")]
    spec: Vec<String>,
    /// Random inputs for each formula, half uniform over numbers and half over floats; at most 2,000 where a test already
    /// shows that the accuracy is missed
    #[arg(long, value_name = "N", default_value_t = 2000)]
    samples: u32,
    /// Of FPBench's formulas only those whose name or suite contains it
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    #[command(flatten)]
    part: Sharded,
}

pub(super) fn command() -> Command {
    flags::alone::<Options>(
        "written",
        &KNOBS,
        "Each formula is evaluated operation by operation in binary64, 1e-10 relative being asked for, and in \
         binary32 with 1e-4. A run of `gen` says whether that is met; random inputs attack what it says. Exit codes: 0; \
         1 if a proof is contradicted; 2 input error; 130 interrupted.",
    )
}

#[derive(Serialize, JsonSchema)]
pub(super) struct WrittenDocument<'a> {
    samples: usize,
    summary: &'a WrittenSummary,
    rows: &'a [WrittenRow],
}

impl Document for WrittenDocument<'_> {
    const SCHEMA: &'static str = "magneto/bench-written/1";
    const WRITER: &'static str = "bench written";
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let mut settings = Settings::default();
    flags::set(&mut settings, &KNOBS, matches)?;
    let options: Options = flags::options(matches)?;
    let list = if options.spec.is_empty() {
        formulas(options.filter.as_deref())
    } else {
        let loaded = load_named(&options.spec, &settings, output)?;
        loaded.into_iter().map(|l| (l.spec.source_file.clone(), l.spec)).collect()
    };
    let plan = WrittenPlan { options: settings.suite, samples: options.samples as usize };
    let items: Vec<(String, Vec<u8>)> =
        list.iter().map(|(_, spec)| (spec.name.clone(), format!("{:?}", spec.core).into_bytes())).collect();
    let words: (&[&str], _) = (&["bench", "written"], &command());
    let part = shards::part(matches, words, &options.part, String::new(), &items, output)?;
    let own = shards::own(part.as_ref(), list.len());
    let list: Vec<(String, Spec)> = own.into_iter().map(|place| list[place].clone()).collect();
    let stop = &STOP;
    let mut table = Table { output, silent: part.is_some() || output.json, broken: Ok(()) };
    table.line(&header());
    let rows = measure(&plan, &list, Some(stop), &mut table);
    output.progress("");
    table.broken?;
    let interrupted = stop.load(Ordering::Relaxed);
    if let Some(part) = part {
        let each: Vec<&[WrittenRow]> = rows.chunks(FORMATS).collect();
        return part.save(&each, interrupted, output);
    }
    let exit = tell_totals(&options, &rows, output)?;
    Ok(if interrupted { Exit::Interrupted } else { exit })
}

/// The rows of each formula.
const FORMATS: usize = 2;

/// Tells what shards found of all formulas, and how that ends.
pub(super) fn end(matches: &ArgMatches, rows: Vec<Vec<WrittenRow>>, output: &Output) -> Result<Exit, Failure> {
    let (rows, options) = (rows.concat(), flags::options(matches)?);
    let mut table = Table { output, silent: output.json, broken: Ok(()) };
    table.line(&header());
    rows.iter().for_each(|row| table.line(&line(row)));
    table.broken?;
    tell_totals(&options, &rows, output)
}

/// Tells what all rows come to.
fn tell_totals(options: &Options, rows: &[WrittenRow], output: &Output) -> Result<Exit, Failure> {
    let (found, samples) = (summary(rows), options.samples as usize);
    let document = WrittenDocument { samples, summary: &found, rows };
    tell((&options.part, "bench-written.json"), &document, || totals(&found), output)?;
    Ok(if found.contradicted > 0 { Exit::Gate } else { Exit::Passed })
}

/// The table, which grows by a line for each formula that is measured.
struct Table<'a> {
    output: &'a Output,
    /// Whether there is none.
    silent: bool,
    /// Whether the lines could be written.
    broken: Result<(), Failure>,
}

impl Table<'_> {
    fn line(&mut self, text: &str) {
        if !self.silent && self.broken.is_ok() {
            self.broken = self.output.print(text);
        }
    }
}

impl Follow for Table<'_> {
    fn begins(&mut self, name: &str, format: Format) {
        self.output.progress(&format!("{name} {}", format.name()));
    }

    fn is_done(&mut self, row: &WrittenRow) {
        self.output.progress("");
        self.line(&line(row));
    }
}

fn header() -> String {
    format!(
        "{:<40} {:<8} {:>6} {:>6} {:>10} {:>10} {:>9} {:<6}\n",
        "formula", "format", "tests", "failed", "error", "at random", "s", "status"
    )
}

fn line(row: &WrittenRow) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2e}"));
    let name: String = row.name.chars().take(40).collect();
    let status = match (row.status, &row.failure) {
        (_, Some(why)) => why.as_str(),
        (RoundingStatus::Met, _) => "met",
        (RoundingStatus::Missed, _) => "missed",
        (RoundingStatus::Open, _) => "open",
    };
    let note = match (row.is_contradicted(), row.is_violated() && row.failed == 0) {
        (true, _) => " WRONG",
        (false, true) => " not found",
        _ => "",
    };
    let [found, random] = row.worst.map(number);
    format!(
        "{name:<40} {:<8} {:>6} {:>6} {found:>10} {random:>10} {:>9.2} {status}{note}\n",
        row.format, row.tests, row.failed, row.seconds,
    )
}

fn totals(s: &WrittenSummary) -> String {
    let decided = s.met + s.missed;
    let per = s.tests as f64 / s.formulas.max(1) as f64;
    format!(
        "accuracy met: {}, missed: {}, open: {}, of {}\n\
         an input violates it: {}; a test finds that: {}\n\
         proofs contradicted: {}\n\
         tests: {} ({per:.1} each); {:.1} s\n",
        s.met,
        s.missed,
        s.formulas - decided,
        s.formulas,
        s.violated,
        s.found,
        s.contradicted,
        s.tests,
        s.seconds
    )
}
