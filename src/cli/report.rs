//! `magneto report`

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::report::forms::{self, FORMS};
use magneto::report::html;
use magneto::report::store::{self, Files};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The format for people. The others are in [`FORMS`].
const HTML: &str = "html";

pub(crate) fn command() -> Command {
    let list: String = FORMS.iter().map(|f| format!("  {} ({}): {}\n", f.name, f.file, f.about)).collect();
    Command::new("report")
        .about("A report on a run, from its files")
        .after_help(format!(
            "html is one file without a network, a server or JavaScript: scores, the specification with its mutants in \
             place, the ranges of every test, the kill matrix, traces from requirement to test and back, survivors and \
             proofs. Where DIR also holds a check.json (`magneto check -o DIR`), it shows the implementation's results.\n\n\
             Of a run over several specifications each has a report in its folder.\n\nOther formats, with the names of \
             their files:\n{list}"
        ))
        .arg(
            Arg::new("dir")
                .value_name("DIR")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help("An output folder of `magneto gen`"),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .default_value(HTML)
                .value_parser([HTML].into_iter().chain(FORMS.iter().map(|f| f.name)).collect::<Vec<_>>())
                .help("What to write"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Where to write; `-` is standard output. Default: into DIR, or the folder of the specification"),
        )
        .arg(Arg::new("source-folder").long("source-folder").value_name("PATH").default_value("").help(
            "The folder of the specifications, as the report names it: a run records the names of files only, and code \
             scanning wants paths from the root of the repository",
        ))
        .arg(Arg::new("open").long("open").action(ArgAction::SetTrue).help("Open what was written"))
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    format: String,
    files: Vec<String>,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let dir = matches.get_one::<PathBuf>("dir").cloned().unwrap_or_default();
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let parts = match FORMS.iter().find(|f| f.name == text("format")) {
        Some(form) => {
            let stored = forms::read(&dir, text("source-folder")).map_err(|e| no_run(&dir, &e))?;
            vec![(String::new(), form.file, (form.write)(&stored).map_err(Failure::usage)?)]
        }
        None => {
            let pages = html::pages(&dir).map_err(|e| no_run(&dir, &e))?;
            pages.into_iter().map(|(folder, page)| (folder, html::NAME, page.into_bytes())).collect()
        }
    };
    let chosen = matches.get_one::<PathBuf>("output");
    if chosen.is_some() && parts.len() > 1 {
        return Err(Failure::usage_hint(
            format!("--output names one file, and {} holds {} specifications", dir.display(), parts.len()),
            "report their folders one by one",
        ));
    }
    let mut written = Vec::new();
    for (folder, name, bytes) in parts {
        match chosen {
            Some(path) if path.as_os_str() == "-" => {
                output.print(bytes)?;
                return Ok(Exit::Passed);
            }
            Some(path) => written.push(write(path, bytes)?),
            None => written.push(write(&dir.join(folder).join(name), bytes)?),
        }
    }
    if output.json {
        let files = written.iter().map(|p| p.display().to_string()).collect();
        output.print_json(&Document { schema: "magneto/report/1", format: text("format").to_owned(), files })?;
    } else if !output.quiet {
        output.print(written.iter().map(|p| format!("{}\n", p.display())).collect::<String>())?;
    }
    if matches.get_flag("open") {
        written.iter().take(1).for_each(|path| open(path, output));
    }
    Ok(Exit::Passed)
}

fn no_run(dir: &Path, error: &str) -> Failure {
    Failure::usage_hint(format!("{} is no output folder of a run: {error}", dir.display()), "run `magneto gen` first")
}

/// Writes a file, whole or not at all.
fn write(path: &Path, bytes: Vec<u8>) -> Result<PathBuf, Failure> {
    let Some(name) = path.file_name() else {
        return Err(Failure::usage(format!("{} is no name of a file", path.display())));
    };
    if path.is_dir() {
        return Err(Failure::usage(format!("{} is a folder", path.display())));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = Files::from([(name.to_string_lossy().into_owned(), bytes)]);
    store::write(folder, &files, &[]).map_err(Failure::usage)?;
    Ok(path.to_owned())
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
