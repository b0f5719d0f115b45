//! `magneto report`

use super::exit::{Exit, Failure};
use super::output::Output;
use clap::{Arg, ArgMatches, Command, value_parser};
use magneto::report::forms::{self, FORMS};
use magneto::report::store::{self, Files};
use serde::Serialize;
use std::path::{Path, PathBuf};

pub(crate) fn command() -> Command {
    let list: String = FORMS.iter().map(|f| format!("  {} ({}): {}\n", f.name, f.file, f.about)).collect();
    Command::new("report")
        .about("A run as a report for people or for other tools")
        .after_help(format!("Formats, with the names of their files:\n{list}"))
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
                .required(true)
                .value_parser(FORMS.map(|f| f.name))
                .help("What to write"),
        )
        .arg(
            Arg::new("output")
                .short('o')
                .long("output")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help("Where to write; `-` is standard output. Default: into DIR"),
        )
        .arg(Arg::new("source-folder").long("source-folder").value_name("PATH").default_value("").help(
            "The folder of the specifications, as the report names it: a run records the names of files only, and code \
             scanning wants paths from the root of the repository",
        ))
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    format: &'static str,
    file: String,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let text = |name: &str| matches.get_one::<String>(name).map_or("", String::as_str);
    let dir = matches.get_one::<PathBuf>("dir").cloned().unwrap_or_default();
    let form = FORMS.iter().find(|f| f.name == text("format")).unwrap_or(&FORMS[0]);
    let stored = forms::read(&dir, text("source-folder")).map_err(|e| {
        Failure::usage_hint(format!("{} is no output folder of a run: {e}", dir.display()), "run `magneto gen` first")
    })?;
    let bytes = (form.write)(&stored).map_err(Failure::usage)?;
    let path = matches.get_one::<PathBuf>("output").cloned().unwrap_or_else(|| dir.join(form.file));
    if path == Path::new("-") {
        output.print(bytes)?;
        return Ok(Exit::Passed);
    }
    let Some(name) = path.file_name().map(|n| n.to_string_lossy().into_owned()) else {
        return Err(Failure::usage(format!("{} is not the name of a file", path.display())));
    };
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    store::write(folder, &Files::from([(name, bytes)]), &[]).map_err(Failure::usage)?;
    let file = path.display().to_string();
    if output.json {
        output.print_json(&Document { schema: "magneto/report/1", format: form.name, file })?;
    } else if !output.quiet {
        output.print(format!("{file}\n"))?;
    }
    Ok(Exit::Passed)
}
