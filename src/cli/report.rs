//! `magneto report`

use super::exit::{Exit, Failure};
use super::output::Output;
use super::record::CoverOptions;
use super::{accepted, destination, flags};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command};
use magneto::record::ReadError;
use magneto::record::store::{self, Files};
use magneto::report::forms::{self, FORMS, Form};
use magneto::report::html::{self, record};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The form for people, which is made when none is asked for.
const HTML: &str = "html";
/// What it is, for help.
const ABOUT_HTML: &str = "one page to read, print or send, without a network or JavaScript; one in the folder of each \
    specification";

/// A run as a report for people or for other tools
#[derive(Args)]
#[group(skip)]
struct Options {
    /// An output folder of `magneto gen`, `eval`, `worst` or `cover`; of a record any number of those of `gen`
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// What to write
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = HTML,
        value_parser = PossibleValuesParser::new([HTML, record::FORM].into_iter().chain(FORMS.iter().map(|f| f.name)))
    )]
    format: String,
    /// Where to write; `-` is standard output. Default: into DIR
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open what was written
    #[arg(long)]
    open: bool,
    /// The folder of the specifications, or one above them, as the report names it: a run records the names of files only,
    /// and code scanning wants paths from the root of the repository. Files are found by name and content
    #[arg(long, value_name = "PATH", default_value = "")]
    source_folder: String,
    #[command(flatten)]
    cover: CoverOptions,
}

pub(crate) fn command() -> Command {
    let html = format!(
        "  {HTML} ({}): {ABOUT_HTML}\n  {} ({}): the record that people sign, of one or many specifications, made for print\n",
        html::NAME,
        record::FORM,
        record::FILE
    );
    let list: String = FORMS.iter().map(|f| format!("  {} ({}): {}\n", f.name, f.file, f.about)).collect();
    Options::augment_args(Command::new("report"))
        .after_help(format!(
            "Formats, with the names of their files:\n{html}{list}\nThe page shows the scores and what they mean, the \
             specification with its mutants in place, the range that each test allows, the kill matrix, traces from \
             requirement to test and back, survivors and proofs; and where DIR holds a check.json (`magneto check -o \
             DIR`), the results of the implementation. Of a folder of `magneto eval -o DIR` it shows what those tests kill \
             and miss, of one of `magneto worst -o DIR` or `magneto cover -o DIR` what that found.\n\nA report shows the decisions on mutants (`magneto accept`) that \
             the run had. If a magneto.accept.toml, upward from DIR or from the folder of the specifications, says \
             otherwise now, a note says so: run `magneto gen` again."
        ))
}

/// That a folder is no run.
pub(crate) fn no_run(dir: &Path, why: &ReadError) -> Failure {
    let shown = dir.display();
    if !dir.join("summary.json").exists() {
        return Failure::usage(format!("{shown} is no output folder of a run: {why}"));
    }
    let message = format!("cannot read the run in {shown}: {why}");
    if why.has_remedy() {
        return Failure::usage(message);
    }
    Failure::usage_hint(message, "run `magneto gen` again")
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    format: &'static str,
    file: String,
    /// All that were written, where there is one for each specification.
    files: Vec<String>,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let Options { dirs, format, output: chosen, open: opens, source_folder, cover } = flags::options(matches)?;
    if format == record::FORM {
        let mut stored = Vec::new();
        for dir in &dirs {
            stored.extend(forms::read(dir, &source_folder).map_err(|e| no_run(dir, &e))?);
        }
        let file = cover.write(&stored, &dirs[0], chosen.as_deref(), matches, output)?;
        if opens && let Some(file) = file {
            open(&file, output);
        }
        return Ok(Exit::Passed);
    }
    let [dir] = &dirs[..] else {
        return Err(Failure::usage_hint("several folders", "only --format record is over several"));
    };
    let dir = dir.clone();
    let form = FORMS.iter().find(|f| f.name == format);
    let made = match form {
        Some(form) => whole(form, &dir, &source_folder)?,
        None => pages(&dir)?,
    };
    accepted::differences(&dir, &source_folder, output)?;
    if chosen.is_some() && made.len() > 1 {
        return Err(Failure::usage_hint(
            format!("--output names one file, and {} holds {} specifications", dir.display(), made.len()),
            "report their folders one by one",
        ));
    }
    let kind = form.map_or(html::KIND, |f| f.kind);
    let files: Vec<PathBuf> = match &chosen {
        None => {
            store::write_into(&dir, &made, kind)?;
            made.keys().map(|name| dir.join(name)).collect()
        }
        Some(path) => {
            let one = made.into_values().next().unwrap_or_default();
            if path == Path::new("-") {
                output.print(one)?;
                return Ok(Exit::Passed);
            }
            destination::write(matches, Some(path), kind, || Ok(one))?;
            vec![path.clone()]
        }
    };
    let shown: Vec<String> = files.iter().map(|p| p.display().to_string()).collect();
    if output.json {
        let file = shown.first().cloned().unwrap_or_default();
        output.print_json(&Document {
            schema: "magneto/report/1",
            format: form.map_or(HTML, |f| f.name),
            file,
            files: shown,
        })?;
    } else if !output.quiet {
        output.say(shown.iter().map(|p| format!("{p}\n")).collect::<String>())?;
    }
    if opens {
        files.iter().take(1).for_each(|path| open(path, output));
    }
    Ok(Exit::Passed)
}

/// One file of the whole run.
fn whole(form: &Form, dir: &Path, above: &str) -> Result<Files, Failure> {
    let stored = forms::read(dir, above).map_err(|e| no_run(dir, &e))?;
    let bytes = (form.write)(&stored).map_err(Failure::usage)?;
    Ok(Files::from([(form.file.to_owned(), bytes)]))
}

/// A page for each specification.
fn pages(dir: &Path) -> Result<Files, Failure> {
    let pages = html::pages(dir).map_err(|e| no_run(dir, &e))?;
    let name =
        |folder: &str| if folder.is_empty() { html::NAME.to_owned() } else { format!("{folder}/{}", html::NAME) };
    Ok(pages.into_iter().map(|(folder, page)| (name(&folder), page.into_bytes())).collect())
}

/// Opens a file with what the system has for it. That there is nothing is worth a note, no failure.
fn open(path: &Path, output: &Output) {
    let (program, first): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    command.args(first).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(e) = command.spawn() {
        output.note(format!("cannot open {}: {program}: {e}", path.display()));
    }
}
