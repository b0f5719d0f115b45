//! `magneto lint`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::{flags, specs};
use clap::{Arg, ArgMatches, Command};
use magneto::lint::{Defined, Lint, lint};
use magneto::num::float::hex;
use magneto::record::Fields;
use magneto::record::tests::named;
use magneto::report::words;
use magneto::spec::Spec;
use magneto::spec::diagnostic::line_column;
use serde::Serialize;

pub(crate) fn command() -> Command {
    flags::with_knobs(
        Command::new("lint")
            .about("Is f defined on all of its domain, can the accuracy be met, is an input unbounded?")
            .after_help("Exit codes: 0, also with warnings; 1 with warnings and --deny warnings; 2 with errors")
            .arg(specs::many_arguments())
            .arg(
                Arg::new("deny")
                    .long("deny")
                    .value_name("WHAT")
                    .value_parser(["warnings"])
                    .help("Exit with 1 if there are `warnings`"),
            ),
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
    warnings: Vec<Warning<'a>>,
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
    let loaded = specs::load(matches, &settings, output)?;
    let found: Vec<Lint> = loaded.iter().map(|l| lint(&l.spec, settings.suite.precision_cap)).collect();
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
        output.print(text)?;
    }
    let warnings = found.iter().any(|f| !f.findings.is_empty());
    Ok(if warnings && matches.contains_id("deny") { Exit::Gate } else { Exit::Passed })
}

fn line(spec: &Spec, found: &Lint) -> String {
    let defined = match &found.defined {
        Defined::Everywhere(boxes) => format!("defined on all of its domain (a cover of {boxes} boxes)"),
        Defined::NotAt(x) => format!("not defined at {}", words::input(spec, x)),
        Defined::NotSettled => "definedness not settled".to_owned(),
    };
    let (all, met) = found.attainable;
    format!("{}: {defined}; accuracy attainable at {met} of {all} probe points\n", spec.name)
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
        warnings: found.findings.iter().map(warning).collect(),
    }
}
