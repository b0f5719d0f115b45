//! `magneto lint`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use super::specs::{self, Loaded, ManySpecs};
use clap::{ArgMatches, Args, Command, ValueEnum};
use magneto::lint::{Defined, Lint, Met, Plain, lint};
use magneto::num::float::hex;
use magneto::num::{AtLeast, AtMost};
use magneto::program::LibmUlps;
use magneto::record::Fields;
use magneto::record::tests::named;
use magneto::report::words;
use magneto::rounding::Found;
use magneto::spec::Spec;
use magneto::spec::diagnostic::line_column;
use magneto::threads::{self, Threads};
use serde::Serialize;

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
        "The plain binary64 evaluation is the body as written, operation by operation: its error is bounded \
         by a proof, and the largest one that a short search finds stands beside it. Exit codes: 0, also with warnings; 1 with \
         warnings and --deny warnings; 2 with errors",
    )
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    specifications: Vec<Part<'a>>,
}

#[derive(Serialize)]
struct Part<'a> {
    specification: &'a str,
    file: &'a str,
    defined: &'static str,
    witness: Option<Fields<String>>,
    probes: usize,
    attainable: usize,
    plain: Option<Evaluation>,
    warnings: Vec<Warning<'a>>,
}

/// An error in units of the tolerance.
#[derive(Serialize)]
#[serde(untagged)]
enum Tolerances {
    Proved(AtMost),
    Found(AtLeast),
}

/// The plain binary64 evaluation.
#[derive(Serialize)]
struct Evaluation {
    kind: &'static str,
    bound: Option<AtMost>,
    found: Option<AtLeast>,
    at: Option<Fields<String>>,
    accuracy: &'static str,
    /// In units of the tolerance: what was proved, or what was found.
    tolerances: Option<Tolerances>,
    missed_at: Option<Fields<String>>,
    /// The errors of library functions that proofs take for granted.
    library_ulps: Option<f64>,
}

#[derive(Serialize)]
struct Warning<'a> {
    line: usize,
    column: usize,
    message: &'a str,
    hint: Option<&'a str>,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let settings = flags::settings("lint", matches)?;
    let options: Options = flags::options(matches)?;
    let loaded = specs::load_named(&options.many.spec, &settings, output)?;
    let threads = Threads::new(settings.suite.jobs);
    let one = |l: &Loaded| lint(&l.spec, l.settings.suite.precision_cap, &threads);
    let found: Vec<Lint> = threads::deep(|| threads.side_by_side(1, &loaded, one));
    if output.json {
        let part = |(l, f)| part(l, f);
        let specifications = loaded.iter().zip(&found).map(part).collect();
        output.print_json(&Document { schema: "magneto/lint/1", specifications })?;
    } else {
        let mut text = String::new();
        for (l, f) in loaded.iter().zip(&found) {
            for d in &f.findings {
                let shown = d.render(l.shown(), &l.source);
                text.push_str(&shown.replacen("error:", "warning:", 1));
            }
            text.push_str(&line(&l.spec, f));
        }
        output.say(text)?;
    }
    let warnings = found.iter().any(|f| !f.findings.is_empty());
    Ok(if warnings && options.deny.is_some() { Exit::Gate } else { Exit::Passed })
}

fn line(spec: &Spec, found: &Lint) -> String {
    let defined = match &found.defined {
        Defined::Everywhere(boxes) => format!("defined on all of its domain (a cover of {boxes} boxes)"),
        Defined::NotAt(x) => format!("not defined at {}", words::input(spec, x)),
        Defined::NotSettled => "definedness not settled".to_owned(),
    };
    let (all, met) = found.attainable;
    let plain = found.plain.as_ref().map_or_else(String::new, |p| plain_text(spec, p));
    format!("{}: {defined}; accuracy attainable at {met} of {all} probe points\n{plain}", spec.name)
}

/// What is known of the plain evaluation.
fn plain_text(spec: &Spec, p: &Plain) -> String {
    let kind = if p.relative { "relative" } else { "absolute" };
    let given = words::given(p.library);
    let bound = if p.bound.0.is_finite() {
        format!("errs by at most {:.2} {kind} (proved{given})", p.bound)
    } else {
        "no bound of its error was proved".to_owned()
    };
    let found = match &p.found {
        Some(f) if f.error.is_finite() && f.error > 0.0 => {
            format!(", {:.2} {kind} found at {}", AtLeast(f.error), words::input(spec, &f.at))
        }
        Some(f) if f.error > 0.0 => format!(", without a finite result at {}", words::input(spec, &f.at)),
        _ => String::new(),
    };
    let accuracy = match &p.accuracy {
        Met::Proved(worst) => format!("it meets the accuracy (proved, at most {worst:.2} of the tolerance{given})"),
        Met::Missed(f) if f.error.is_finite() => {
            format!("it misses the accuracy at {} by a factor of {:.2}", words::input(spec, &f.at), AtLeast(f.error))
        }
        Met::Missed(f) => format!("it misses the accuracy at {}", words::input(spec, &f.at)),
        Met::Open => "whether it meets the accuracy is open".to_owned(),
    };
    format!("  plain binary64 evaluation: {bound}{found}; {accuracy}\n")
}

fn part<'a>(l: &'a specs::Loaded, found: &'a Lint) -> Part<'a> {
    let warning = |d: &'a magneto::spec::Diagnostic| {
        let (line, column) = line_column(&l.source, d.span.start);
        Warning { line, column, message: &d.message, hint: d.hint.as_deref() }
    };
    Part {
        specification: &l.spec.name,
        file: l.shown(),
        defined: match found.defined {
            Defined::Everywhere(_) => "yes",
            Defined::NotAt(_) => "no",
            Defined::NotSettled => "not settled",
        },
        witness: match &found.defined {
            Defined::NotAt(x) => Some(named(&l.spec, x, hex)),
            _ => None,
        },
        probes: found.attainable.0,
        attainable: found.attainable.1,
        plain: found.plain.as_ref().map(|p| evaluation(&l.spec, p)),
        warnings: found.findings.iter().map(warning).collect(),
    }
}

fn evaluation(spec: &Spec, p: &Plain) -> Evaluation {
    let found = |f: &Found| f.error.is_finite().then_some(AtLeast(f.error));
    let (accuracy, tolerances, missed) = match &p.accuracy {
        Met::Proved(worst) => ("met", Some(Tolerances::Proved(*worst)), None),
        Met::Missed(f) => ("missed", found(f).map(Tolerances::Found), Some(named(spec, &f.at, hex))),
        Met::Open => ("open", None, None),
    };
    Evaluation {
        kind: if p.relative { "relative" } else { "absolute" },
        bound: p.bound.0.is_finite().then_some(p.bound),
        found: p.found.as_ref().and_then(found),
        at: p.found.as_ref().map(|f| named(spec, &f.at, hex)),
        accuracy,
        tolerances,
        missed_at: missed,
        library_ulps: p.library.map(LibmUlps::get),
    }
}
