//! `magneto report`

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use magneto::report::html;
use magneto::report::store::{self, Files};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// One format: its name, the file that it writes unless `--output` says otherwise, and how it is made.
struct Format {
    name: &'static str,
    file: &'static str,
    make: Make,
}

/// How a format is made from a run's folder.
enum Make {
    /// One file for each specification, with the folder in the output that it belongs to.
    Each(fn(&Path) -> Result<Vec<(String, String)>, String>),
}

const FORMATS: &[Format] = &[Format { name: "html", file: html::NAME, make: Make::Each(html::pages) }];

pub(crate) fn command() -> Command {
    Command::new("report")
        .about("A report on a run, from its files")
        .after_help(
            "html is one file without a network, a server or JavaScript: scores, the specification with its mutants in \
             place, the ranges of every test, the kill matrix, traces from requirement to test and back, survivors and \
             proofs. Where DIR also holds a check.json (`magneto check -o DIR`), it shows the implementation's results.\n\n\
             Of a run over several specifications each has a report in its folder.",
        )
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
                .default_value("html")
                .value_parser(FORMATS.iter().map(|f| f.name).collect::<Vec<_>>())
                .help("What to write"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Where to write; `-` is standard output. Default: report.html in the folder of the specification"),
        )
        .arg(Arg::new("open").long("open").action(ArgAction::SetTrue).help("Open what was written"))
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    format: &'static str,
    files: Vec<String>,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let dir = matches.get_one::<PathBuf>("dir").cloned().unwrap_or_default();
    let name = matches.get_one::<String>("format").map_or("", String::as_str);
    let Some(format) = FORMATS.iter().find(|f| f.name == name) else {
        return Err(Failure::usage(format!("no format is called `{name}`")));
    };
    let Make::Each(make) = format.make;
    let parts = make(&dir).map_err(|e| {
        Failure::usage_hint(format!("{} is no output folder of a run: {e}", dir.display()), "run `magneto gen` first")
    })?;
    let chosen = matches.get_one::<PathBuf>("output");
    if chosen.is_some() && parts.len() > 1 {
        return Err(Failure::usage_hint(
            format!("--output names one file, and {} holds {} specifications", dir.display(), parts.len()),
            "report their folders one by one",
        ));
    }
    let mut written = Vec::new();
    for (folder, text) in parts {
        match chosen {
            Some(path) if path.as_os_str() == "-" => {
                output.print(text)?;
                return Ok(Exit::Passed);
            }
            Some(path) => written.push(write(path, text)?),
            None => written.push(write(&dir.join(folder).join(format.file), text)?),
        }
    }
    if output.json {
        let files = written.iter().map(|p| p.display().to_string()).collect();
        output.print_json(&Document { schema: "magneto/report/1", format: format.name, files })?;
    } else if !output.quiet {
        output.print(written.iter().map(|p| format!("{}\n", p.display())).collect::<String>())?;
    }
    if matches.get_flag("open") {
        written.iter().take(1).for_each(|path| open(path, output));
    }
    Ok(Exit::Passed)
}

/// Writes a file, whole or not at all.
fn write(path: &Path, text: String) -> Result<PathBuf, Failure> {
    let Some(name) = path.file_name() else {
        return Err(Failure::usage(format!("{} is no name of a file", path.display())));
    };
    if path.is_dir() {
        return Err(Failure::usage(format!("{} is a folder", path.display())));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let files = Files::from([(name.to_string_lossy().into_owned(), text.into_bytes())]);
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
