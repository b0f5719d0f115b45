//! `magneto worst`

use super::exit::{Exit, Failure};
use super::interrupt::{self, STOP};
use super::output::Output;
use super::{check, flags, specs};
use clap::{Arg, ArgGroup, ArgMatches, Command, value_parser};
use magneto::harness::Broken;
use magneto::harness::batch::Caller;
use magneto::oracle::Verdict;
use magneto::record::{json, store};
use magneto::report::worst::Report;
use magneto::worst;
use std::path::PathBuf;
use std::time::Instant;

const AFTER: &str = "\
The search looks at every binade and sign of each input, at special values, then closer and closer where errors are \
large. The same build, options and implementation give the same files. Errors are in units of the specification's \
bound, and in units in the last place of the exact value.

worst.csv is a test file: `magneto check SPEC worst.csv …` runs it again.

Exit codes: 0 nothing outside the bound was found; 1 a result outside it, a crash, a hang or a refusal was found; 2 \
usage, specification or input error; 3 not settled at the precision cap; 4 the implementation cannot be run; 130 \
interrupted";

pub(crate) fn command() -> Command {
    let command = Command::new("worst")
        .about("Search for the input at which an implementation errs most")
        .after_help(AFTER)
        .arg(specs::one_argument());
    let command = check::implementation(command)
        .group(ArgGroup::new("implementation").args(["exec", "lib", "c-source", "python"]).required(true))
        .arg(
            Arg::new("evaluations")
                .long("evaluations")
                .value_name("N")
                .value_parser(value_parser!(u64).range(1..))
                .default_value("100000")
                .hide_default_value(true)
                .help("How often to call the implementation. Default: 100000"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Also write worst.csv and worst.json into DIR, which may be that of a run"),
        );
    flags::with_knobs(command)
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("worst", matches)?;
    let loaded = specs::load_single(matches, &settings, output)?;
    let spec = &loaded.spec;
    let target = check::target(matches)?.ok_or_else(|| Failure::usage("no implementation is given"))?;
    let folder = matches.get_one::<PathBuf>("output");
    folder.map_or(Ok(()), |dir| check::free(dir))?;
    let evaluations = matches.get_one::<u64>("evaluations").copied().unwrap_or(100_000);
    interrupt::listen();
    let broke = |b: &Broken| Failure { exit: Exit::Harness, messages: vec![format!("error: {}\n", b.why)] };
    let this = std::env::current_exe().map_err(|e| Failure::usage(format!("cannot find this program: {e}")))?;
    let prepared = target.prepare(spec, &this).map_err(|b| broke(&b))?;
    let mut caller =
        Caller::new(&prepared.program, spec.inputs.len(), spec.result_format, &settings.limits, Some(&STOP));
    let (cap, jobs) = (settings.suite.precision_cap, settings.suite.jobs);
    let start = Instant::now();
    let searched = worst::search(spec, &mut caller, evaluations, cap, jobs).map_err(|input| {
        Failure::usage(format!(
            "the range of `{input}` holds no value of its format, so that there is nothing to search"
        ))
    })?;
    if let Some(broken) = &searched.broken {
        return Err(broke(broken));
    }
    let seconds = start.elapsed().as_secs_f64();
    output.note(format!("{:.0} evaluations a second", searched.evaluations as f64 / seconds.max(1e-9)));
    let report = Report { spec, record: &prepared.record, searched: &searched };
    let exit = match report.verdict() {
        _ if searched.interrupted => Exit::Interrupted,
        Verdict::Ko => Exit::Gate,
        Verdict::Uncertain => Exit::Inconclusive,
        Verdict::Ok if searched.parts.is_empty() => Exit::Inconclusive,
        Verdict::Ok => Exit::Passed,
    };
    if let Some(dir) = folder {
        let mut files = store::Files::new();
        files.insert("worst.csv".to_owned(), report.csv());
        files.insert("worst.json".to_owned(), json::text(&report.json(exit as u8)));
        store::write(dir, &files, &[])?;
    }
    if output.json {
        output.print_json(&report.json(exit as u8))?;
    } else if !output.quiet {
        output.print(report.text())?;
    }
    if searched.interrupted {
        output.note("interrupted: the search had not ended");
    }
    Ok(exit)
}
