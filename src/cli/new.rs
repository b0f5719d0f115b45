//! `magneto new`

use super::exit::{Exit, Failure};
use super::flags;
use super::output::Output;
use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command};
use magneto::floats::Format;
use magneto::infix::{InputRange, Notation, Reading, SourceLanguage, functions_of, read, read_function, read_range};
use magneto::lint::{Lint, lint};
use magneto::options::{ABS_ERROR, Knob, REL_ERROR, Settings, ULPS};
use magneto::record::store::{self, FileKind};
use magneto::report;
use magneto::report::specification::{self, Stated};
use magneto::spec::{Accuracy, Spec, parse_error_bound, parse_file, resolve};
use magneto::text::{Diagnostic, nearest, quote};
use magneto::threads::{self, Threads};
use serde::Serialize;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

/// What stands for the formula of `--from` in messages.
const FROM: &str = "<--from>";
/// The name by which units mean the result.
const RESULT: &str = "result";
/// The knobs that state the accuracy.
const KNOBS: &[&Knob] = &[REL_ERROR, ABS_ERROR, ULPS];
/// What is replaced by `--force`, and nothing else.
const KIND: FileKind = FileKind { name: "a specification", start: "", inside: "(FPCore" };

/// A specification from a formula as people write it, with what is known of it as comments
#[derive(Args)]
#[group(skip)]
struct Options {
    /// The file to write, such as speed.fpcore
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The formula, such as 'sqrt(2*g*h)' or 'v = sqrt(2*g*h)'; ranges may stand before it as in 'h: [0,1] -> sqrt(2*g*h)'.
    /// Or a function of a C, C++ or Python file, such as air.c:flow.
    /// Default: it is asked for on a terminal
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    from: Option<String>,
    /// How the formula is written; `plain` is what the others agree on
    #[arg(long, value_name = "NOTATION", value_parser = PossibleValuesParser::new(Notation::ALL.map(Notation::name)), default_value = "plain")]
    language: String,
    /// The range of an input; `(` or `)` leaves an end out, `inf` is no end, and a unit may stand behind it: 'p=[0,1e5) Pa'.
    /// Repeatable. Default: that of --from, else it is asked for on a terminal
    #[arg(long, value_name = "X=[LO,HI]")]
    range: Vec<String>,
    /// The unit of an input, or of the result by the name `result`: 'p=Pa'. Repeatable. Default: none is stated
    #[arg(long, value_name = "X=UNIT")]
    unit: Vec<String>,
    /// The name of the specification. Default: that in --from, else that of the file
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The format of inputs and result
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(Format::names()), default_value = "binary64")]
    precision: String,
    /// Replace a specification that the file holds
    #[arg(long)]
    force: bool,
}

pub(crate) fn command() -> Command {
    flags::alone::<Options>(
        "new",
        KNOBS,
        "What is missing is asked for where standard input is a terminal, and is an error elsewhere. What was taken for \
         granted is said on standard error",
    )
}

/// What was written, for programs.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    file: String,
    name: &'a str,
    inputs: Vec<&'a str>,
    /// What was taken for granted.
    assumed: Vec<String>,
    /// What is known of the specification.
    remarks: Vec<String>,
    /// The command to run next.
    next: String,
}

pub(crate) fn run(matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let options: Options = flags::options(matches)?;
    let mut settings = Settings::default();
    flags::set(&mut settings, KNOBS, matches)?;
    may_write(&options.file, options.force)?;
    let asked = Asked { is_terminal: std::io::stdin().is_terminal() };
    let notation = Notation::from_name(&options.language).unwrap_or(Notation::Plain);
    let (formula, mut reading) = formula(options.from.clone(), notation, &asked, output)?;
    let mut assumed: Vec<String> = reading.assumptions.iter().map(|a| a.says.clone()).collect();
    let mut units = units(&options.unit, &reading)?;
    let ranges = options
        .range
        .iter()
        .map(|text| read_range(text).map_err(|d| Failure::rendered(vec![d.render("<--range>", text.as_bytes())])));
    for range in ranges.collect::<Result<Vec<_>, _>>()? {
        narrow(&mut reading, range, &mut units)?;
    }
    ask_ranges(&mut reading, &mut units, &asked, output)?;
    let format = Format::from_name(&options.precision).unwrap_or(Format::BINARY64);
    let accuracy = accuracy(&settings, format, &asked, &mut assumed, output)?;
    if asked.is_terminal && !units.iter().any(|u| u.0 == RESULT) {
        let unit = asked.line("unit of the result (Enter for none): ")?;
        units.extend(Some(unit).filter(|u| !u.is_empty()).map(|u| (RESULT.to_owned(), u)));
    }
    // As the inputs stand; the result last.
    units.sort_by_key(|(name, _)| reading.core.args.iter().position(|a| a.name == *name).unwrap_or(usize::MAX));
    let name = options.name.clone().or_else(|| reading.name.clone()).unwrap_or_else(|| stem(&options.file));
    let shown = options.file.display().to_string();
    let core = specification::stated(reading.core, &Stated { name: &name, format, accuracy: &accuracy, units: &units });
    let spec = checked(&format!("{core}\n"), &shown)?;
    let threads = Threads::new(settings.suite.jobs);
    let found = threads::deep(|| lint(&spec, settings.suite.precision_cap, &threads));
    let text = specification::file(&formula, &assumed, &spec, &found);
    // The comments change nothing.
    checked(&text, &shown)?;
    may_write(&options.file, options.force)?;
    store::write_file(&options.file, KIND, text.into_bytes())?;
    tell_next_steps(&spec, &found, assumed, &options.file, output)
}

/// Says what was written and what to do next.
fn tell_next_steps(
    spec: &Spec,
    found: &Lint,
    assumed: Vec<String>,
    file: &Path,
    output: &Output,
) -> Result<Exit, Failure> {
    assumed.iter().for_each(|says| output.note(says));
    let shown = file.display().to_string();
    let next = format!("magneto gen {}", shlex::try_quote(&shown).unwrap_or_default());
    if output.json {
        output.print_json(&Document {
            schema: "magneto/new/1",
            file: shown,
            name: &spec.name,
            inputs: spec.inputs.iter().map(|i| i.name.as_str()).collect(),
            assumed,
            remarks: specification::remarks(spec, found),
            next,
        })?;
        return Ok(Exit::Passed);
    }
    for finding in &found.findings {
        let hint = finding.hint.as_ref().map_or_else(String::new, |hint| format!("hint: {hint}\n"));
        output.message(&format!("warning: {}\n{hint}", finding.message));
    }
    output.say(format!("{}written to {shown}; next: {next}\n", report::lint::line(spec, found)))?;
    Ok(Exit::Passed)
}

/// That the file can be written and nothing is lost.
fn may_write(file: &Path, force: bool) -> Result<(), Failure> {
    let shown = file.display();
    if !force && file.symlink_metadata().is_ok_and(|about| about.is_file()) {
        let hint = "choose another name, or --force to replace it";
        return Err(Failure::usage_hint(format!("{shown} exists already"), hint));
    }
    let is_device = file.starts_with("/dev") || file.metadata().is_ok_and(|about| !about.is_file());
    if !is_device && file.extension().is_none_or(|end| end != "fpcore") {
        let hint = format!("call it {}", file.with_extension("fpcore").display());
        return Err(Failure::usage_hint(format!("{shown} is no name of a specification"), hint));
    }
    Ok(store::may_write(file, KIND)?)
}

/// The name of a file without its ending.
fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "formula".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

/// The specification that a text is, or all that is wrong with it.
fn checked(text: &str, shown: &str) -> Result<Spec, Failure> {
    let file = parse_file(text.as_bytes());
    let wrong: Vec<Diagnostic> = match resolve(&file, 0, shown, &magneto::spec::Overrides::default()) {
        Ok(spec) if file.diagnostics.is_empty() => return Ok(spec),
        Ok(_) => file.diagnostics,
        Err(more) => file.diagnostics.into_iter().chain(more).collect(),
    };
    let shown = format!("{shown} (not written)");
    Err(Failure::rendered(wrong.iter().map(|d| d.render(&shown, text.as_bytes())).collect()))
}

/// What a function of a file is: `air.c:flow`. None for what names no file of a language.
fn function(given: &str) -> Option<Result<Reading, Failure>> {
    // The name of C++ may have namespaces: `air.cpp:air::flow`.
    let parts = given.match_indices(':').map(|(at, _)| (&given[..at], &given[at + 1..])).chain([(given, "")]);
    let of = |path: &str| SourceLanguage::of_ending(Path::new(path).extension()?.to_str()?);
    let (path, name, language) = parts.into_iter().find_map(|(path, name)| Some((path, name, of(path)?)))?;
    let path = Path::new(path);
    if name.contains(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')) || name.is_empty() && !path.exists() {
        return None;
    }
    let shown = path.display();
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) => return Some(Err(Failure::unread(path, &e, &["c", "h", "cpp", "cc", "cxx", "hpp", "py"]))),
    };
    if name.is_empty() {
        let names: Vec<String> = functions_of(&text, language).iter().map(|name| format!("{shown}:{name}")).collect();
        let hint = match names.is_empty() {
            true => format!("it has none; an expression of SymPy is named as in {shown}:energy"),
            false => format!("name one: {}", names.join(", ")),
        };
        return Some(Err(Failure::usage_hint(format!("which function of {shown} is meant?"), hint)));
    }
    let rendered = |d: Diagnostic| Failure::rendered(vec![d.render(&shown.to_string(), text.as_bytes())]);
    Some(read_function(&text, language, name).map_err(rendered))
}

/// The formula as it is written, and what it is.
fn formula(
    given: Option<String>,
    notation: Notation,
    asked: &Asked,
    output: &Output,
) -> Result<(String, Reading), Failure> {
    let wrong = |d: Diagnostic, text: &str| d.render(FROM, text.as_bytes());
    if let Some(text) = &given
        && let Some(reading) = function(text)
    {
        return Ok((text.clone(), reading?));
    }
    match given {
        Some(text) => match read(&text, notation) {
            Ok(reading) => Ok((text, reading)),
            Err(d) => Err(Failure::rendered(vec![wrong(d, &text)])),
        },
        None if asked.is_terminal => loop {
            let text = asked.line("formula, such as sqrt(2*g*h): ")?;
            match read(&text, notation) {
                Ok(reading) => return Ok((text, reading)),
                Err(d) => output.message(&wrong(d, &text)),
            }
        },
        None => Err(Failure::usage_hint("there is no formula", "give it by --from 'sqrt(2*g*h)'")),
    }
}

/// The units of `--unit`.
fn units(given: &[String], reading: &Reading) -> Result<Vec<(String, String)>, Failure> {
    let mut units: Vec<(String, String)> = Vec::new();
    for text in given {
        let Some((name, unit)) = text.split_once('=').filter(|(_, unit)| !unit.trim().is_empty()) else {
            return Err(Failure::usage_hint(
                format!("--unit {text}: a name, `=` and a unit are expected"),
                "write 'p=Pa'",
            ));
        };
        let name = name.trim();
        if name != RESULT {
            is_input(name, reading, "--unit")?;
        }
        set_unit(&mut units, name, unit.trim())?;
    }
    Ok(units)
}

fn set_unit(units: &mut Vec<(String, String)>, name: &str, unit: &str) -> Result<(), Failure> {
    if units.iter().any(|u| u.0 == name) {
        return Err(Failure::usage(format!("{} has two units", quote(name))));
    }
    units.push((name.to_owned(), unit.to_owned()));
    Ok(())
}

/// That the formula has such an input.
fn is_input(name: &str, reading: &Reading, flag: &str) -> Result<(), Failure> {
    let names: Vec<&str> = reading.core.args.iter().map(|a| a.name.as_str()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let hint = match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "the formula has none".to_owned(),
        None => format!("there are {}", names.join(", ")),
    };
    Err(Failure::usage_hint(format!("{flag}: {} is no input of the formula", quote(name)), hint))
}

/// Has an input in a range.
fn narrow(reading: &mut Reading, range: InputRange, units: &mut Vec<(String, String)>) -> Result<(), Failure> {
    is_input(&range.input, reading, "--range")?;
    if reading.ranged.contains(&range.input) {
        return Err(Failure::usage_hint(format!("{} has two ranges", quote(&range.input)), "leave one of them out"));
    }
    if let Some(unit) = &range.unit {
        set_unit(units, &range.input, unit)?;
    }
    reading.within(range);
    Ok(())
}

/// Asks for the ranges that are missing, or says which are.
fn ask_ranges(
    reading: &mut Reading,
    units: &mut Vec<(String, String)>,
    asked: &Asked,
    output: &Output,
) -> Result<(), Failure> {
    let inputs = reading.core.args.iter().map(|a| a.name.clone());
    let missing: Vec<String> = inputs.filter(|name| !reading.ranged.contains(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !asked.is_terminal {
        let flags: Vec<String> = missing.iter().map(|name| format!("--range '{name}=[LO,HI]'")).collect();
        let message = format!("no range is given for {}", missing.join(", "));
        let hint = format!("give {}; '{}=[-inf,inf]' is any number", flags.join(" "), missing[0]);
        return Err(Failure::usage_hint(message, hint));
    }
    for name in missing {
        loop {
            let answer = asked.line(&format!("range of {name} and its unit, such as [0.1, 10] m: "))?;
            let text = format!("{name}={answer}");
            match read_range(&text) {
                Ok(range) => {
                    narrow(reading, range, units)?;
                    break;
                }
                Err(d) => output.message(&d.render("<range>", text.as_bytes())),
            }
        }
    }
    Ok(())
}

/// The accuracy of the flags, or what is asked for, or the default.
fn accuracy(
    settings: &Settings,
    format: Format,
    asked: &Asked,
    assumed: &mut Vec<String>,
    output: &Output,
) -> Result<Accuracy, Failure> {
    let over = &settings.overrides;
    let ulps = over.ulps.clone().map(|(n, of)| (n, of.unwrap_or(format)));
    let stated = Accuracy { rel: over.rel.clone(), abs: over.abs.clone(), ulps };
    if !stated.is_empty() {
        return Ok(stated);
    }
    let default = Accuracy::default_for(format);
    if asked.is_terminal {
        loop {
            let answer = asked.line(&format!("largest relative error, such as 1e-12 (Enter for {default}): "))?;
            if answer.is_empty() {
                break;
            }
            match parse_error_bound(&answer) {
                Ok(rel) => return Ok(Accuracy { rel: Some(rel), ..Accuracy::default() }),
                Err(e) => output.message(&format!("error: {e}\n")),
            }
        }
    }
    assumed
        .push(format!("no accuracy is given, so {default} is taken; --rel-error, --abs-error or --ulps say another"));
    Ok(default)
}

/// Answers of a person.
struct Asked {
    is_terminal: bool,
}

impl Asked {
    /// A line that a person types behind a question.
    fn line(&self, question: &str) -> Result<String, Failure> {
        let mut err = std::io::stderr().lock();
        let _ = err.write_all(question.as_bytes()).and_then(|()| err.flush());
        drop(err);
        let mut answer = String::new();
        match std::io::stdin().lock().read_line(&mut answer) {
            Ok(0) => Err(Failure::usage_hint("the answers end here", "nothing is written")),
            Ok(_) => Ok(answer.trim().to_owned()),
            Err(e) => Err(Failure::usage(format!("cannot read an answer: {e}"))),
        }
    }
}
