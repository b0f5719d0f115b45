//! `magneto report`

use super::exit::{Exit, Failure};
use super::no_run::no_run;
use super::output::Output;
use super::record::CoverOptions;
use super::{accepted, destination, flags};
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command};
use magneto::record::ReadError;
use magneto::record::store::{self, Files};
use magneto::report::forms::{self, FORMS, Form};
use magneto::report::html::{self, FolderPages, PageFile, record};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The form for people, which is made when none is asked for.
const HTML: &str = "html";
/// What it is, for help.
const ABOUT_HTML: &str = "one page to read, print or send, without a network or JavaScript; of several results a page each and \
    index.html, which lists them, the worst first";

/// A run as a report for people or for other tools
#[derive(Args)]
#[group(skip)]
struct Options {
    /// An output folder of `magneto gen`, `eval`, `check`, `worst`, `cover`, `reach` or `solve`; pages and a record may be of
    /// several
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
             DIR`), the results of the implementation. What `eval`, `check`, `worst`, `cover`, `reach` and `solve` wrote with -o DIR has a page \
             as well; where there are several pages, index.html in the first DIR leads to them.\n\nA report shows the decisions on mutants (`magneto accept`) that \
             the run had. If a magneto.accept.toml, upward from DIR or from the folder of the specifications, says \
             otherwise now, a note says so: run `magneto gen` again."
        ))
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
        let file = cover.write(&dirs, &source_folder, chosen.as_deref(), matches, output)?;
        if opens && let Some(file) = file {
            open(&file, output);
        }
        return Ok(Exit::Passed);
    }
    let form = FORMS.iter().find(|f| f.name == format);
    let made = match (form, &dirs[..]) {
        (Some(form), [dir]) => vec![whole(form, dir, &source_folder)?],
        (Some(form), _) => {
            let hint = format!("--format {HTML} and --format {} are over several", record::FORM);
            return Err(Failure::usage_hint(format!("--format {} is over one folder", form.name), hint));
        }
        (None, dirs) => pages(dirs)?,
    };
    dirs.iter().try_for_each(|dir| accepted::differences(dir, &source_folder, output))?;
    let kind = form.map_or(html::KIND, |f| f.kind);
    let files: Vec<PathBuf> = match &chosen {
        None => {
            for (dir, files) in dirs.iter().zip(&made) {
                store::write_into(dir, files, kind)?;
            }
            dirs.iter().zip(&made).flat_map(|(dir, files)| in_order(files).map(|name| dir.join(name))).collect()
        }
        Some(path) => {
            let one = only(made)?;
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

/// The names of files as they are told: the index first.
fn in_order(files: &Files) -> impl Iterator<Item = &String> {
    let is_index = |name: &&String| *name == html::INDEX;
    files.keys().filter(is_index).chain(files.keys().filter(move |name| !is_index(name)))
}

/// The file that `--output` means, of all that were made: the only one, or the only page of a run.
fn only(made: Vec<Files>) -> Result<Vec<u8>, Failure> {
    let mut all: Vec<(String, Vec<u8>)> = made.into_iter().flatten().collect();
    let count = all.iter().filter(|(name, _)| name != html::INDEX).count();
    if all.len() > 1 {
        all.retain(|(name, _)| name == html::NAME);
    }
    match all.pop() {
        Some((_, one)) if all.is_empty() => Ok(one),
        _ => Err(Failure::usage_hint(
            format!("--output names one file, and there are {count} pages"),
            "leave it out: they are written into the folders, with an index",
        )),
    }
}

/// The pages of each folder; in the first of them the index of all, where there are several.
fn pages(dirs: &[PathBuf]) -> Result<Vec<Files>, Failure> {
    let mut found: Vec<FolderPages> =
        dirs.iter().map(|dir| html::pages(dir).map_err(|e| no_pages(dir, &e))).collect::<Result<_, _>>()?;
    let is_one = found.iter().map(|found| found.pages.len()).sum::<usize>() == 1;
    if !is_one {
        for (dir, found) in dirs.iter().zip(&mut found) {
            let page = |page: &mut PageFile| {
                let folder = Path::new(&page.path).parent().map_or(dir.clone(), |inside| dir.join(inside));
                page.lead_to_index(&from(&folder, &dirs[0]));
            };
            found.pages.iter_mut().for_each(page);
        }
    }
    let file = |page: &PageFile| (page.path.clone(), page.text.clone().into_bytes());
    let mut made: Vec<Files> = found.iter().map(|found| found.pages.iter().map(file).collect()).collect();
    if !is_one {
        let seen = |(dir, found): (&PathBuf, FolderPages)| found.seen_from(&from(&dirs[0], dir));
        let seen: Vec<FolderPages> = dirs.iter().zip(found).map(seen).collect();
        made[0].insert(html::INDEX.to_owned(), html::index(&seen).into_bytes());
    }
    Ok(made)
}

/// The way from one folder to another, as a link has it: empty, or with a slash at its end.
fn from(here: &Path, there: &Path) -> String {
    let whole = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (here, there) = (whole(here), whole(there));
    let common = here.components().zip(there.components()).take_while(|(a, b)| a == b).count();
    let up = here.components().skip(common).map(|_| "..".to_owned());
    let down = there.components().skip(common).map(|part| address(&part.as_os_str().to_string_lossy()));
    up.chain(down).map(|part| format!("{part}/")).collect()
}

/// The name of a folder in a link: what has a meaning there stands by its number (RFC 3986).
fn address(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    name.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

/// That a folder has nothing of which a page is made.
fn no_pages(dir: &Path, why: &ReadError) -> Failure {
    let shown = dir.display();
    let has = |name: &str| dir.join(name).is_file();
    if dir.is_file() {
        return Failure::usage_hint(format!("{shown} is a file"), "name the folder that holds it");
    }
    if !dir.exists() {
        return Failure::usage_hint(format!("there is no folder {shown}"), "commands write one with -o DIR");
    }
    if has("summary.json") || !matches!(why, ReadError::File(..)) {
        return no_run(dir, why);
    }
    if has(store::SHARD) || has(store::SHARE) {
        let hint = "`magneto merge DIR… -o WHOLE` puts all parts together; report WHOLE";
        return Failure::usage_hint(format!("{shown} is a part of a run"), hint);
    }
    if has(store::RESUME) || has(store::ENUMERATION) {
        return Failure::usage_hint(
            format!("the run in {shown} did not come to its end"),
            "run the same command again, it goes on",
        );
    }
    if store::is_of_a_command(dir) {
        return no_run(dir, why);
    }
    if !store::exports(dir).is_empty() {
        let hint = "report the folder that `magneto gen` wrote";
        return Failure::usage_hint(format!("{shown} holds exported tests, of which no page is made"), hint);
    }
    Failure::usage_hint(
        format!("{shown} holds nothing that a command wrote"),
        "name a folder that `gen`, `eval`, `check`, `worst`, `cover`, `reach` or `solve` wrote with -o DIR",
    )
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
