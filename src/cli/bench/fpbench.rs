//! `magneto bench fpbench`

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::bench::corpus::benchmarks;
use magneto::bench::files::{Document, SCHEMA, files};
use magneto::bench::fpbench::{Plan, Progress, Run, run as run_plan};
use magneto::options::{KNOBS, Origin};
use magneto::report::{store, text};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Set by SIGINT.
static STOP: AtomicBool = AtomicBool::new(false);

/// The flags that are knobs.
const SET: [&str; 3] = ["operators", "budget", "jobs"];

pub(super) fn command() -> Command {
    let value = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    Command::new("fpbench")
        .about("Run the paper's 69 formulas one after the other; scores, times and a README into a folder")
        .after_help(
            "The formulas are in the program. SIGINT saves the formulas that are complete. Exit codes: 0; 1 if a \
             formula has no result, or not the paper's number of mutants; 130 interrupted.",
        )
        .arg(
            Arg::new("all")
                .long("all")
                .action(ArgAction::SetTrue)
                .help("All of FPBench's formulas without loops instead of the paper's 69"),
        )
        .arg(value("operators", "SET").help("Mutation operators: `paper`, `full` or a list. Default: paper"))
        .arg(value("filter", "TEXT").help("Only formulas with TEXT in their name or suite, whatever the case"))
        .arg(value("budget", "BOXES").help(
            "The most boxes to look at in the search for one mutant. Unit: boxes. Default: that of `magneto gen`",
        ))
        .arg(
            value("seed", "N").value_parser(value_parser!(u64)).help("The seed of the random baselines. Default: 2021"),
        )
        .arg(
            value("jobs", "N")
                .short('j')
                .help("Threads. The results do not depend on it. Default: as many as the machine runs at once"),
        )
        .arg(value("output", "DIR").short('o').value_parser(value_parser!(PathBuf)).help(
            "Where to write the files. Default: results/fpbench-SET; with --all results/fpbench-all-SET; with \
             --filter the same and -part",
        ))
}

fn plan(matches: &ArgMatches) -> Result<Plan, Failure> {
    let mut plan = Plan { all: matches.get_flag("all"), ..Plan::default() };
    plan.filter = matches.get_one::<String>("filter").cloned();
    if let Some(seed) = matches.get_one::<u64>("seed") {
        plan.seed = *seed;
    }
    for knob in KNOBS.iter().filter(|k| SET.contains(&k.name)) {
        let Some(value) = matches.get_one::<String>(knob.name) else { continue };
        let set = plan.settings.set(knob, std::slice::from_ref(value), Origin::Flag);
        set.map_err(|e| Failure::usage(format!("--{}: {e}", knob.name)))?;
    }
    Ok(plan)
}

fn folder(plan: &Plan) -> PathBuf {
    let all = if plan.all { "all-" } else { "" };
    let part = if plan.filter.is_some() { "-part" } else { "" };
    let set = plan.settings.suite.operators.to_string().replace(',', "-");
    Path::new("results").join(format!("fpbench-{all}{set}{part}"))
}

/// The folder must be free, or hold an earlier run.
fn free(dir: &Path) -> Result<(), Failure> {
    let shown = dir.display();
    let mut entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(Failure::usage(format!("cannot write into {shown}: {e}"))),
    };
    let manifest = std::fs::read_to_string(dir.join("manifest.json")).unwrap_or_default();
    if entries.next().is_none() || manifest.contains(SCHEMA) {
        return Ok(());
    }
    Err(Failure::usage_hint(
        format!("{shown} holds files that `magneto bench fpbench` did not write"),
        "choose another folder with --output",
    ))
}

pub(super) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let plan = plan(matches)?;
    let dir = matches.get_one::<PathBuf>("output").cloned().unwrap_or_else(|| folder(&plan));
    free(&dir)?;
    if benchmarks(plan.sources(), plan.filter.as_deref()).is_empty() {
        let filter = plan.filter.as_deref().unwrap_or_default();
        return Err(Failure::usage_hint(
            format!("no formula has `{filter}` in its name or suite"),
            "without --filter all are run; --all has more of them",
        ));
    }
    // Without a handler SIGINT ends the program, as it ends any other.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
    });
    let started = Instant::now();
    let progress = |p: Progress<'_>| {
        let left = match p.done {
            0 => String::new(),
            done => {
                let each = started.elapsed().as_secs_f64() / done as f64;
                format!(", about {:.0} s left", each * (p.all - done) as f64)
            }
        };
        output.progress(&format!("{}/{} {}: {}/{} mutants{left}", p.done, p.all, p.name, p.mutants.0, p.mutants.1));
    };
    let run = run_plan(&plan, Some(&STOP), &progress);
    output.progress("");
    store::write(&dir, &files(&plan, &run), &[]).map_err(Failure::usage)?;

    let miscounted = run.miscounted(&plan).unwrap_or_default();
    let failed = run.failed().count() > 0;
    let exit = match (run.interrupted, failed || !miscounted.is_empty()) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Gate,
        (false, false) => Exit::Passed,
    };
    report(&plan, &run, &dir, exit, output)?;
    for (row, why) in run.failed() {
        output.message(&format!("error: {} ({}): {why}\n", row.name, row.suite));
    }
    if !miscounted.is_empty() {
        output.message(&format!("error: not the paper's number of mutants: {}\n", miscounted.join(", ")));
    }
    if run.interrupted {
        output.note(format!("interrupted; the formulas that are complete are in {}", dir.display()));
    }
    Ok(exit)
}

fn report(plan: &Plan, run: &Run, dir: &Path, exit: Exit, output: &Output) -> Result<(), Failure> {
    let shown = dir.display().to_string();
    if output.json {
        return output.print_json(&Document::new(plan, run, shown, exit as u8));
    }
    if output.quiet {
        return Ok(());
    }
    let tests = run.found().map(|(_, f)| f.tests).sum();
    let rigorous = run.mean(|f| f.counts.rigorous_score());
    let paper = run.mean(|f| f.counts.paper_score());
    let lines = [
        ("mean rigorous score", format!("{rigorous:.4}")),
        ("mean paper score", format!("{paper:.4}")),
        ("time", format!("{:.1} s", run.time().as_secs_f64())),
        ("files", format!("{}/", shown.trim_end_matches('/'))),
    ];
    let lines: String = lines.iter().map(|(name, value)| format!("  {name:<20}{value}\n")).collect();
    output.print(format!("{} formulas\n{}{lines}", run.rows.len(), text::counts(&run.total(), tests)))
}
