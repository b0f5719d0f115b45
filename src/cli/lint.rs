//! `magneto lint`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use super::specs::{self, Loaded, ManySpecs};
use clap::{ArgMatches, Args, Command, ValueEnum};
use magneto::lint::{Lint, lint};
use magneto::record::json::Versioned;
use magneto::record::lint::{LintRun, LintedSpecification};
use magneto::report;
use magneto::threads::{self, Threads};

/// Is f defined on all of its domain, can the accuracy be met, also by plain evaluation?
#[derive(Args)]
#[group(skip)]
struct Options {
    #[command(flatten)]
    many: ManySpecs,
    /// Exit with 1 if there are `warnings`
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
}

/// What `--deny` is about.
#[derive(Clone, Copy, ValueEnum)]
enum Deny {
    Warnings,
}

pub(crate) fn command() -> Command {
    flags::command::<Options>(
        "lint",
        "The plain evaluation is the body as written, operation by operation in the format of the result: its error is bounded \
         by a proof, and the largest one that a short search finds stands beside it. Exit codes: 0, also with warnings; 1 with \
         warnings and --deny warnings; 2 with errors",
    )
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("lint", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specs::load_named(&options.many.spec, &settings, output)?;
    let threads = Threads::new(settings.suite.jobs);
    let one = |l: &Loaded| lint(&l.spec, l.settings.suite.precision_cap, &threads);
    let mut found: Vec<Lint> = threads::deep(|| threads.side_by_side(1, &loaded, one));
    for (l, f) in loaded.iter().zip(&mut found) {
        f.findings.iter_mut().for_each(|finding| *finding = l.placed(finding));
    }
    if output.json {
        let one = |(l, f): (&Loaded, &Lint)| LintedSpecification::new(&l.spec, l.text(), l.shown(), f);
        let specifications = loaded.iter().zip(&found).map(one).collect();
        output.print_json(&Versioned(LintRun { specifications }))?;
    } else {
        let mut text = String::new();
        for (l, f) in loaded.iter().zip(&found) {
            for d in &f.findings {
                let shown = d.render(l.shown(), l.text());
                text.push_str(&shown.replacen("error:", "warning:", 1));
            }
            text.push_str(&report::lint::line(&l.spec, f));
        }
        output.say(text)?;
    }
    let warnings = found.iter().any(|f| !f.findings.is_empty());
    Ok(if warnings && options.deny.is_some() { Exit::Gate } else { Exit::Passed })
}
